/**
 * Texts of many kinds, and the tokens that two tokenizers count in each. Loading the tokenizers takes seconds, so only
 * the longer lanes count again.
 */
export const TOKEN_TEXTS: Readonly<Record<string, string>> = {
  english: "The migration has to run before the deployment, otherwise the old service reads a column it does not know.",
  notes:
    "Fixed the flaky upload test: retries used the system clock; inject `clock.now()` in src/upload/retry.ts (see #214).",
  german:
    "Die Datenbankmigration muss vor der Auslieferung ausgeführt werden, weil ältere Versionen größere Schlüssel übersehen.",
  french:
    "La migration de la base de données doit être exécutée avant le déploiement, sinon l’ancienne version échoue.",
  russian:
    "Миграция базы данных должна выполняться до развёртывания, иначе старая версия сервиса прочитает новый столбец.",
  arabic: "يجب تشغيل ترحيل قاعدة البيانات قبل النشر وإلا ستفشل الخدمة القديمة",
  hindi: "डेटाबेस माइग्रेशन को तैनाती से पहले चलाया जाना चाहिए",
  thai: "ต้องรันการย้ายฐานข้อมูลก่อนการปรับใช้ มิฉะนั้นบริการเก่าจะล้มเหลว",
  khmer: "ការផ្ទេរទិន្នន័យត្រូវតែដំណើរការ",
  chinese: "数据库迁移必须在部署之前运行，否则旧版本的服务会读到新的列而失败。",
  japanese: "データベースの移行はデプロイの前に実行しなければならない。",
  korean: "데이터베이스 마이그레이션은 배포 전에 실행해야 합니다.",
  emoji: "🚀🔥✅❌🎉🐛🧪📦👩‍💻🇩🇪🏳️‍🌈",
  rare: "ᚠᚢᚦᚨᚱᚲ 𠀀𠀁𠀂 བོད་སྐད",
  code: "export const isHub = (inDegree: number): boolean => inDegree >= HUB_EDGES; // XMLHttpRequest, snake_case_name",
  json: '{"id": "a1", "items": [{"rank": 0.81, "tags": ["x", "y"]}, null], "ok": true}',
  hash: "Sha e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855, id 550e8400-e29b-41d4-a716-446655440000",
  numbers: "2026-11-17T14:55:03.123Z 10.0.0.1:8080 v1.22.333",
  marks: "{}[]()<>;:'\"\\|/?.,!@#$%^&*-_=+~`",
  spaces: "a    b\n\n\n    c\t\td",
};

export const COUNTED: Readonly<Record<string, readonly [cl100k: number, o200k: number]>> = {
  english: [21, 21],
  notes: [29, 28],
  german: [28, 23],
  french: [30, 25],
  russian: [48, 29],
  arabic: [46, 18],
  hindi: [50, 16],
  thai: [53, 25],
  khmer: [52, 19],
  chinese: [32, 21],
  japanese: [30, 23],
  korean: [26, 17],
  emoji: [44, 30],
  rare: [44, 41],
  code: [27, 27],
  json: [35, 35],
  hash: [57, 57],
  numbers: [32, 32],
  marks: [20, 20],
  spaces: [8, 8],
};
