;; The vector kernel: dot products of one query with many int8 rows, and the best of many shares.
;;
;; A scan is bound by memory, not arithmetic: each row is read once, front to back, and
;; a pair of rows shares every load of the query. Four rows at once measured faster
;; from the cache and slower from memory, where a large scan finds its rows.
;; It refuses to know a layout: every address comes from the caller.

(module
  ;; 65536 pages are the whole 4 GB a 32-bit address reaches.
  (memory (export "memory") 1 65536)

  ;; scores[i] = (query · vectors[i]) × scales[i], for i in 0 .. rows.
  ;; -Infinity where the scale is 0 (an empty row) or the row's bit in `allowed` is 0.
  ;;
  ;;   vectors  rows × stride int8
  ;;   scales   rows float32, finite, not negative
  ;;   query    stride int16, small enough that no dot product leaves int32
  ;;   allowed  1 bit per row, lowest bit first; address 0 means "every row"
  ;;   scores   rows float32, written
  ;;   rows     even and not 0
  ;;   stride   a multiple of 16 and not 0
  (func (export "scan")
    (param $vectors i32) (param $scales i32) (param $query i32) (param $allowed i32) (param $scores i32)
    (param $rows i32) (param $stride i32)
    (local $row i32)         ;; the first row of the pair
    (local $first i32)       ;; reads the pair's first row
    (local $second i32)      ;; reads the pair's second row
    (local $part i32)        ;; reads the query
    (local $query_end i32)
    (local $factors v128)    ;; the pair's scales in lanes 0 and 1
    (local $counted v128)    ;; all ones in the lanes whose row is scored
    (local $low v128)        ;; query values 0..7 of this step
    (local $high v128)       ;; query values 8..15 of this step
    (local $sum_first v128)
    (local $sum_second v128)
    (local $sums v128)

    (local.set $query_end (i32.add (local.get $query) (i32.shl (local.get $stride) (i32.const 1))))

    (loop $pair
      ;; Which of the two rows count? Lanes 2 and 3 hold scale 0 and never do.
      (local.set $factors (v128.load64_zero (local.get $scales)))
      (local.set $counted (f32x4.ne (local.get $factors) (v128.const f32x4 0 0 0 0)))
      (if (local.get $allowed)
        (then
          (local.set $counted
            (v128.and
              (local.get $counted)
              (i32x4.ne
                (v128.and
                  (i32x4.splat
                    (i32.shr_u
                      (i32.load8_u (i32.add (local.get $allowed) (i32.shr_u (local.get $row) (i32.const 3))))
                      (i32.and (local.get $row) (i32.const 7))))
                  (v128.const i32x4 1 2 0 0))
                (v128.const i32x4 0 0 0 0))))))

      ;; The sums of a pair that does not count are never read, so stale ones may stay.
      (if (v128.any_true (local.get $counted))
        (then
          (local.set $first (local.get $vectors))
          (local.set $second (i32.add (local.get $vectors) (local.get $stride)))
          (local.set $part (local.get $query))
          (local.set $sum_first (v128.const i32x4 0 0 0 0))
          (local.set $sum_second (v128.const i32x4 0 0 0 0))

          (loop $step
            (local.set $low (v128.load (local.get $part)))
            (local.set $high (v128.load offset=16 (local.get $part)))
            (local.set $sum_first
              (i32x4.add
                (local.get $sum_first)
                (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $first)) (local.get $low))))
            (local.set $sum_second
              (i32x4.add
                (local.get $sum_second)
                (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $second)) (local.get $low))))
            (local.set $sum_first
              (i32x4.add
                (local.get $sum_first)
                (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $first)) (local.get $high))))
            (local.set $sum_second
              (i32x4.add
                (local.get $sum_second)
                (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $second)) (local.get $high))))
            (local.set $first (i32.add (local.get $first) (i32.const 16)))
            (local.set $second (i32.add (local.get $second) (i32.const 16)))
            (local.set $part (i32.add (local.get $part) (i32.const 32)))
            (br_if $step (i32.lt_u (local.get $part) (local.get $query_end))))

          ;; Add up the four partial sums of each row: the first row's in lane 0, the second's in lane 1.
          (local.set $sums
            (i32x4.add
              (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
                (local.get $sum_first) (local.get $sum_second))
              (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
                (local.get $sum_first) (local.get $sum_second))))
          (local.set $sums
            (i32x4.add
              (local.get $sums)
              (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15
                (local.get $sums) (local.get $sums))))))

      (v128.store64_lane 0
        (local.get $scores)
        (v128.bitselect
          (f32x4.mul (f32x4.convert_i32x4_s (local.get $sums)) (local.get $factors))
          (v128.const f32x4 -inf -inf -inf -inf)
          (local.get $counted)))

      (local.set $vectors (i32.add (local.get $vectors) (i32.shl (local.get $stride) (i32.const 1))))
      (local.set $scales (i32.add (local.get $scales) (i32.const 8)))
      (local.set $scores (i32.add (local.get $scores) (i32.const 8)))
      (local.set $row (i32.add (local.get $row) (i32.const 2)))
      (br_if $pair (i32.lt_u (local.get $row) (local.get $rows)))))

  ;; How near four queries are to chosen rows: 255 × cosine², rounded; 0 for negative cosines.
  ;; A row is widened to 16 bits once for all four. For i in 0 .. count, the four bytes of row rows[i]
  ;; go to shares + i × step.
  ;;
  ;;   vectors  rows × stride int8
  ;;   scales   rows float32
  ;;   rows     count uint16, which rows
  ;;   queries  4 × stride int16, small enough that no dot product leaves int32
  ;;   units    4 float32, the scale of each query
  ;;   stride   a multiple of 16 and not 0
  (func (export "nearness")
    (param $vectors i32) (param $scales i32) (param $rows i32) (param $count i32)
    (param $queries i32) (param $units i32) (param $shares i32) (param $step i32) (param $stride i32)
    (local $rows_end i32)
    (local $number i32)
    (local $row i32)         ;; reads the row
    (local $row_end i32)
    (local $part_first i32)  ;; these read the queries
    (local $part_second i32)
    (local $part_third i32)
    (local $part_fourth i32)
    (local $values v128)     ;; eight values of the row
    (local $first v128)      ;; these are the sums
    (local $second v128)
    (local $third v128)
    (local $fourth v128)
    (local $cosines v128)

    (local.set $rows_end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 1))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $rows) (local.get $rows_end)))
        (local.set $number (i32.load16_u (local.get $rows)))
        (local.set $row (i32.add (local.get $vectors) (i32.mul (local.get $number) (local.get $stride))))
        (local.set $row_end (i32.add (local.get $row) (local.get $stride)))
        (local.set $part_first (local.get $queries))
        (local.set $part_second (i32.add (local.get $part_first) (i32.shl (local.get $stride) (i32.const 1))))
        (local.set $part_third (i32.add (local.get $part_second) (i32.shl (local.get $stride) (i32.const 1))))
        (local.set $part_fourth (i32.add (local.get $part_third) (i32.shl (local.get $stride) (i32.const 1))))
        (local.set $first (v128.const i32x4 0 0 0 0))
        (local.set $second (v128.const i32x4 0 0 0 0))
        (local.set $third (v128.const i32x4 0 0 0 0))
        (local.set $fourth (v128.const i32x4 0 0 0 0))

        (loop $more
          (local.set $values (v128.load8x8_s (local.get $row)))
          (local.set $first
            (i32x4.add (local.get $first) (i32x4.dot_i16x8_s (local.get $values) (v128.load (local.get $part_first)))))
          (local.set $second
            (i32x4.add (local.get $second) (i32x4.dot_i16x8_s (local.get $values) (v128.load (local.get $part_second)))))
          (local.set $third
            (i32x4.add (local.get $third) (i32x4.dot_i16x8_s (local.get $values) (v128.load (local.get $part_third)))))
          (local.set $fourth
            (i32x4.add (local.get $fourth) (i32x4.dot_i16x8_s (local.get $values) (v128.load (local.get $part_fourth)))))
          (local.set $values (v128.load8x8_s offset=8 (local.get $row)))
          (local.set $first
            (i32x4.add (local.get $first) (i32x4.dot_i16x8_s (local.get $values) (v128.load offset=16 (local.get $part_first)))))
          (local.set $second
            (i32x4.add (local.get $second) (i32x4.dot_i16x8_s (local.get $values) (v128.load offset=16 (local.get $part_second)))))
          (local.set $third
            (i32x4.add (local.get $third) (i32x4.dot_i16x8_s (local.get $values) (v128.load offset=16 (local.get $part_third)))))
          (local.set $fourth
            (i32x4.add (local.get $fourth) (i32x4.dot_i16x8_s (local.get $values) (v128.load offset=16 (local.get $part_fourth)))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $part_first (i32.add (local.get $part_first) (i32.const 32)))
          (local.set $part_second (i32.add (local.get $part_second) (i32.const 32)))
          (local.set $part_third (i32.add (local.get $part_third) (i32.const 32)))
          (local.set $part_fourth (i32.add (local.get $part_fourth) (i32.const 32)))
          (br_if $more (i32.lt_u (local.get $row) (local.get $row_end))))

        ;; Add up the four partial sums of each query, one lane per query.
        (local.set $first
          (i32x4.add
            (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $first) (local.get $second))
            (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $first) (local.get $second))))
        (local.set $third
          (i32x4.add
            (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $third) (local.get $fourth))
            (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $third) (local.get $fourth))))
        (local.set $cosines
          (f32x4.mul
            (f32x4.mul
              (f32x4.convert_i32x4_s
                (i32x4.add
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $first) (local.get $third))
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $first) (local.get $third))))
              (v128.load32_splat (i32.add (local.get $scales) (i32.shl (local.get $number) (i32.const 2)))))
            (v128.load (local.get $units))))
        (local.set $cosines (f32x4.max (local.get $cosines) (v128.const f32x4 0 0 0 0)))
        (local.set $cosines
          (f32x4.nearest
            (f32x4.mul
              (f32x4.mul (local.get $cosines) (local.get $cosines))
              (v128.const f32x4 255 255 255 255))))
        (local.set $values (i32x4.trunc_sat_f32x4_s (local.get $cosines)))
        (local.set $values (i16x8.narrow_i32x4_s (local.get $values) (local.get $values)))
        (v128.store32_lane 0
          (local.get $shares)
          (i8x16.narrow_i16x8_u (local.get $values) (local.get $values)))

        (local.set $shares (i32.add (local.get $shares) (local.get $step)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 2)))
        (br $next))))

  ;; best[column] = the largest byte of that column among the given rows of a table; 0 where no row is given.
  ;;
  ;;   table  rows × width bytes
  ;;   rows   uint16 numbers of rows, up to the address `end`
  ;;   width  a multiple of 16 and not 0
  ;;   best   width bytes, written
  (func (export "best")
    (param $table i32) (param $rows i32) (param $end i32) (param $width i32) (param $best i32)
    (local $columns_end i32)
    (local $row i32)
    (local $largest v128)    ;; sixteen columns

    (local.set $columns_end (i32.add (local.get $table) (local.get $width)))
    (loop $columns
      (local.set $largest (v128.const i32x4 0 0 0 0))
      (local.set $row (local.get $rows))
      (block $done
        (loop $next
          (br_if $done (i32.ge_u (local.get $row) (local.get $end)))
          (local.set $largest
            (i8x16.max_u
              (local.get $largest)
              (v128.load
                (i32.add (local.get $table) (i32.mul (i32.load16_u (local.get $row)) (local.get $width))))))
          (local.set $row (i32.add (local.get $row) (i32.const 2)))
          (br $next)))
      (v128.store (local.get $best) (local.get $largest))
      (local.set $best (i32.add (local.get $best) (i32.const 16)))
      (local.set $table (i32.add (local.get $table) (i32.const 16)))
      (br_if $columns (i32.lt_u (local.get $table) (local.get $columns_end)))))
)
