/** One step of the layout, which the package has but does not describe. */
declare module "graphology-layout-forceatlas2/iterate.js" {
  /** Moves the nodes: ten numbers for each, of which the first two are its place; three for each line. */
  export default function iterate(settings: object, nodes: Float32Array, lines: Float32Array): unknown;
}
