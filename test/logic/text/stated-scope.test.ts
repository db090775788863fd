import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { statedScope } from "../../../src/logic/text/stated-scope.ts";
import { anyCharacter } from "../../any-character.ts";

const EVERYWHERE: readonly string[] = [
  "Use tabs in all my projects",
  "In all of my projects, use tabs",
  "In all our repositories we sign commits",
  "Use tabs in all my TypeScript projects",
  "Conventional commits across all repos",
  "Conventional commits across all repositories.",
  "Run the linter across all projects",
  "Run the linter across every project",
  "In every repository I work on, run the linter first",
  "In every project I work on I want tests",
  "For each project that I start, add a changelog",
  "In any of my projects, never force-push",
  "In all projects, prefer composition",
  "Use tabs. In every project, use tabs.",
  "Use tabs in all repos",
  "Wherever I work, I want short answers",
  "Short answers everywhere I code",
  "Short answers wherever I'm working",
  "No matter which repo I am in, use tabs",
  "Applies to all my projects",
  "Use tabs\nin all\nmy projects",
  "- In all projects, use tabs",
  "Notes\n\n- Every file has a header\n- In all projects, use tabs",
  "Never commit to main in all my projects",
  "I don't use tabs in any of my projects",
  "Not only in this project, but in all my projects",
  "not just in this repo but across all repositories",
  "Except in this repo, use tabs in all my projects",
  "The user wants conventional commits in all their repos",
  "The user prefers tabs wherever they work",
  // German
  "In allen meinen Projekten Tabs verwenden",
  "Tabs in jedem meiner Repos",
  "Tabs in jedem Projekt, an dem ich arbeite",
  "Commits werden über alle Repositories hinweg signiert",
  "In allen Projekten gilt: keine Tabs",
  "Überall, wo ich arbeite, gilt das",
  "Das gilt projektübergreifend",
  "Nicht nur in diesem Projekt, sondern in allen meinen Projekten",
  // French
  "Des tabulations dans tous mes projets",
  "Dans chacun de mes dépôts, des tabulations",
  "Dans chaque projet sur lequel je travaille, des tests",
  "Dans tous les projets, des tests",
  "Partout où je travaille, des réponses courtes",
  "pas seulement dans ce projet, mais dans tous mes projets",
  // Spanish
  "Usa tabuladores en todos mis proyectos",
  "En cada proyecto en el que trabajo, pruebas primero",
  "En todos los repositorios, pruebas primero",
  "Respuestas cortas dondequiera que trabaje",
  "no solo en este proyecto, sino en todos mis proyectos",
  // Portuguese
  "Use tabulações em todos os meus projetos",
  "Em todos meus repositórios, testes primeiro",
  "Em cada projeto em que trabalho, testes primeiro",
  "Respostas curtas onde quer que eu trabalhe",
  "não só neste projeto, mas em todos os meus projetos",
  // Chinese
  "在我所有的项目中使用制表符",
  "我的所有仓库都要签名提交",
  "我参与的每个项目都要先写测试",
  "提交规范跨所有仓库一致",
  "在所有项目中使用制表符",
  "不只在这个项目，在我所有的项目中都用制表符",
  // Japanese
  "私のすべてのプロジェクトでタブを使う",
  "自分の全リポジトリで署名する",
  "すべてのプロジェクトでタブを使う",
  "どのプロジェクトでもタブを使う",
  "このプロジェクトだけでなく、私のすべてのプロジェクトでタブを使う",
];
for (const text of EVERYWHERE) test(`everywhere: ${text}`, () => assert.equal(statedScope(text)?.scope, "global"));

const HERE: readonly string[] = [
  "In this repo I want tabs",
  "Use tabs in this project",
  "only in this project",
  "Tabs for this codebase, please",
  "Within this repository, commits are signed",
  "In the current project, use tabs",
  "This repo uses tabs",
  "Tabs. This project only.",
  "Don't use tabs in this repo",
  "Not in all my projects, only in this project",
  "Never use tabs in this project",
  "I do not use tabs in this repo",
  "Tabs in this legacy repo",
  "In diesem Projekt Tabs verwenden",
  "Nur für dieses Repo",
  "Nicht in allen meinen Projekten, nur in diesem Projekt",
  "Des tabulations dans ce projet",
  "Pas dans tous mes projets, seulement dans ce dépôt",
  "Usa tabuladores en este proyecto",
  "No en todos mis proyectos, solo en este repositorio",
  "Use tabulações neste projeto",
  "Não em todos os meus projetos, apenas neste repositório",
  "在这个项目中使用制表符",
  "不要在本项目中使用制表符",
  "不是我所有的项目，只在这个仓库",
  "このプロジェクトではタブを使う",
  "このプロジェクトではタブを使わない",
  "私のすべてのプロジェクトではなく、このリポジトリで使う",
];
for (const text of HERE) test(`here: ${text}`, () => assert.equal(statedScope(text)?.scope, "project"));

const NOTHING: readonly [text: string, why: string][] = [
  ["Use tabs", "it says nothing"],
  ["", "it is empty"],
  ["not in all my projects", "it is negated"],
  ["This does not apply in all my projects", "it is negated by the verb"],
  ["I don't want this in all my projects", "not in all"],
  ["I do not use tabs in all my projects", "not in all, with words in between"],
  ["We can't use tabs across all repos", "not in all"],
  ["It isn't used in all our projects", "not in all"],
  ["not only in this project", "it denies that it is only here"],
  ["Use tabs, except in this project", "it is excluded"],
  ["In all my projects I use spaces, but in this project tabs", "it says both"],
  ["The dashboard lists tasks of all projects", "these are projects of an application"],
  ["A user sees the totals in all their projects", "nobody wants anything"],
  ["Search works in all projects", "no owner, within a sentence"],
  ["Inside the projects folder", "a folder"],
  ["The projectile hits this projection", "other words"],
  ["Das gilt nicht in allen meinen Projekten", "negated in German"],
  ["pas dans tous mes projets", "negated in French"],
  ["Je n'utilise pas de tabulations dans tous mes projets", "negated in French by the verb"],
  ["no en todos mis proyectos", "negated in Spanish"],
  ["No se aplica en todos mis proyectos", "negated in Spanish by the verb"],
  ["não em todos os meus projetos", "negated in Portuguese"],
  ["Isto não vale em todos os meus projetos", "negated in Portuguese by the verb"],
  ["并非我所有的项目都用制表符", "negated in Chinese"],
  ["基本项目已完成", "another Chinese word"],
  ["私のすべてのプロジェクトではない", "negated in Japanese"],
  [`${"long ".repeat(1_000)} in all my projects`, "far into a long text"],
];
for (const [text, why] of NOTHING)
  test(`nothing, because ${why}: ${text.slice(0, 60)}`, () => assert.equal(statedScope(text), null));

test("any text has an answer, and hostile text has one soon", () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => void statedScope(text)));
  for (const part of ["in all my ", "not ", "user wants in all their ", "\n - ", "i do not ", "在我所有的", "私の"]) {
    statedScope(part.repeat(100_000));
  }
});
