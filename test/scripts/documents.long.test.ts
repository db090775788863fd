/**
 * The README and every guide say what really happens: everything they show is run, with the real model.
 *
 * Scripts that cannot be run here are printed with the reason; there is no other way to leave one out.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, test } from "node:test";
import {
  differenceLine,
  documentNames,
  makeModelsFolder,
  notRunLine,
  playDocument,
  standInLine,
} from "../../scripts/documents.ts";

const models = makeModelsFolder();
after(() => rmSync(models, { recursive: true, force: true }));

for (const name of await documentNames())
  test(`what ${name} shows to be done is done, and prints what it says`, async (context) => {
    const { played } = await playDocument(name, models);
    for (const one of played.filter(({ notRun }) => notRun !== undefined))
      context.diagnostic(`${name}:${notRunLine(one)}`);
    for (const one of played.filter(({ standIn }) => standIn !== undefined))
      context.diagnostic(`${name}:${standInLine(one)}`);
    const different = played.filter(({ difference }) => difference !== null);
    assert.deepEqual(different.map(differenceLine), []);
  });
