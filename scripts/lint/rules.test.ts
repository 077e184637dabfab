import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/**
 * A violation of each rule, by the rule: a module of its own, or the body of a component. The linter reports
 * a rule's name with its plugin.
 */
type Faults = Record<string, string>

const typeFaults: Faults = {
  'typescript(no-floating-promises)': 'fetchNumber()',
  'typescript(no-misused-promises)': 'if (fetchNumber()) throw new Error()',
  'typescript(await-thenable)': 'export const one = await 1',
  'typescript(switch-exhaustiveness-check)': "declare const key: 'a' | 'b'\nswitch (key) {\n  case 'a':\n}",
}

/** A rule of React's compiler without violations that other rules do not find. */
const withoutFault = 'preserve-manual-memoization'
const reactFaults: Faults = {
  'react(error-boundaries)': 'try {\n    return <p>{id}</p>\n  } catch {\n    return null\n  }',
  'react-hooks(exhaustive-deps)': 'useEffect(() => console.log(id), [])',
  'react(globals)': 'shared = id\n  return <p>{shared}</p>',
  'react(immutability)': 'list.length = 0\n  return <p>{id}</p>',
  'react(incompatible-library)': 'const { watch } = useForm()\n  return <p>{watch(id)}</p>',
  'react(purity)': 'return <p id={id}>{Math.random()}</p>',
  'react-hooks(rules-of-hooks)': 'if (id) useState(id)',
  'react(set-state-in-render)': 'const [, setText] = useState(id)\n  setText(id)',
  'react(unsupported-syntax)': 'return <p>{eval(id)}</p>',
  'react(use-memo)': 'return useMemo(async () => id, [id])',
}

const screenFaults: Faults = {
  'alt-text': '<img src={id} />',
  'anchor-has-content': '<a href={id} />',
  'anchor-is-valid': '<a href="#">{id}</a>',
  'aria-activedescendant-has-tabindex': '<div aria-activedescendant={id} />',
  'aria-props': '<p aria-labeledby={id}>{id}</p>',
  'aria-proptypes': '<p aria-hidden="perhaps">{id}</p>',
  'aria-role': '<p role="datepicker">{id}</p>',
  'aria-unsupported-elements': '<meta aria-hidden="true" content={id} />',
  'autocomplete-valid': '<input type="text" autoComplete="incorrect" defaultValue={id} />',
  'click-events-have-key-events': '<div role="button" tabIndex={0} onClick={() => focus()}>{id}</div>',
  'heading-has-content': '<h1 id={id} />',
  'html-has-lang': '<html id={id} />',
  'iframe-has-title': '<iframe src={id} />',
  'img-redundant-alt': '<img src={id} alt="picture of a tree" />',
  'interactive-supports-focus':
    '<div role="button" onClick={() => focus()} onKeyDown={() => focus()}>{id}</div>',
  'label-has-associated-control': '<label htmlFor={id} />',
  'media-has-caption': '<video src={id} />',
  'mouse-events-have-key-events': '<p onMouseOver={() => focus()}>{id}</p>',
  'no-access-key': '<button accessKey="h">{id}</button>',
  'no-distracting-elements': '<marquee>{id}</marquee>',
  'no-interactive-element-to-noninteractive-role': '<button role="article">{id}</button>',
  'no-noninteractive-element-interactions': '<li onClick={() => focus()} onKeyDown={() => focus()}>{id}</li>',
  'no-noninteractive-element-to-interactive-role': '<h1 role="button" tabIndex={0}>{id}</h1>',
  'no-noninteractive-tabindex': '<article tabIndex={0}>{id}</article>',
  'no-redundant-roles': '<button role="button">{id}</button>',
  'no-static-element-interactions': '<div onClick={() => focus()} onKeyDown={() => focus()}>{id}</div>',
  'role-has-required-aria-props': '<span role="checkbox" tabIndex={0} aria-label={id} />',
  'role-supports-aria-props': '<ul aria-checked="true" role="list">{id}</ul>',
  scope: '<p {...{ id }} scope="col">{id}</p>',
  'tabindex-no-positive': '<button tabIndex={1}>{id}</button>',
}

/** Code that is an exception of the rules of screens: it must be accepted. */
const fineScreens = [
  '<input aria-label={id} autoFocus />',
  '<pre tabIndex={0}>{id}</pre>',
  '<div role="region" aria-label={id} tabIndex={0} />',
  '<ul role="list" aria-label={id} />',
  '<div onDrop={() => focus()}>{id}</div>',
  '<label><div><div><div><span>{id}</span></div></div></div><input /></label>',
]

const syntaxFaults: Faults = {
  'eslint(max-lines)': `${'export {}\n'.repeat(501)}`,
  'eslint(eqeqeq)': 'export const isNought = Math.random() == 0',
  'eslint(no-eval)': "export const one = globalThis.eval('1')",
  'eslint(no-new-func)': "export const one = new Function('return 1')",
  'eslint(no-useless-rename)': 'export const run = ({ id: id }: { id: string }) => id',
  'eslint(no-var)': 'export var one = 1',
  'eslint(object-shorthand)': 'export const run = (id: string) => ({ id: id })',
  'eslint(no-array-constructor)': 'export const list = new Array(1, 2)',
  'eslint(no-unused-expressions)': 'Math.random() > 1',
  'eslint(no-unused-vars)': 'const one = 1',
  'eslint(prefer-const)': 'let one = 1\nexport { one }',
  'eslint(prefer-rest-params)': 'export function count() {\n  return arguments[0] as unknown\n}',
  'eslint(prefer-spread)': 'export const findLargest = (list: number[]) => Math.max.apply(Math, list)',
  'eslint(no-console)': "console.warn('one')",
  'typescript(consistent-type-imports)': "import { Name } from './fine.ts'\nexport const name: Name = ''",
  'typescript(ban-ts-comment)': '// @ts-ignore\nexport const one = 1',
  'typescript(no-duplicate-enum-values)': 'export enum Key {\n  A = 1,\n  B = 1,\n}',
  'typescript(no-empty-object-type)': 'export type One = {}',
  'typescript(no-explicit-any)': 'export type One = any',
  'typescript(no-extra-non-null-assertion)': 'export const run = (text: string | null) => text!!.length',
  'typescript(no-misused-new)': 'export interface One {\n  new (): One\n}',
  'typescript(no-namespace)': 'export namespace One {\n  export const one = 1\n}',
  'typescript(no-non-null-asserted-optional-chain)':
    'export const run = (row?: { text: string }) => row?.text!',
  'typescript(no-require-imports)': "import fs = require('node:fs')\nexport { fs }",
  'typescript(no-this-alias)': 'export function run(this: object) {\n  const self = this\n  return self\n}',
  'typescript(no-unnecessary-type-constraint)': 'export type One<T extends unknown> = T[]',
  'typescript(no-unsafe-declaration-merging)': 'export class One {}\nexport interface One {\n  a: 1\n}',
  'typescript(no-unsafe-function-type)': 'export type One = Function',
  'typescript(no-wrapper-object-types)': 'export type One = String',
  'typescript(prefer-as-const)': "export const one = 'a' as 'a'",
  'typescript(prefer-namespace-keyword)': 'export declare module One {}',
  'typescript(triple-slash-reference)': '/// <reference path="./fine.ts" />\nexport {}',
}

/** Code that two rules reject. */
const refusedTwice = [
  'app/react_unsupported-syntax_.tsx: eslint(no-eval)',
  'typescript_prefer-namespace-keyword_.ts: typescript(no-namespace)',
]

/** Violations in files of the product, by file and rule. */
const fileFaults: Faults = {
  'functions/one.ts: eslint(max-lines-per-function)': `export function run() {\n${'  Math.random()\n'.repeat(80)}}`,
  'functions/sql.test.ts: house(unsafe-sql)':
    "declare const sql: { raw(text: string): string }\nexport const one = sql.raw('x')",
  'functions/two.ts: house(depends-by-hand)':
    "declare const ctx: { depends: Set<string> }\nctx.depends.add('x')",
  'app/three.ts: house(private-words)': 'export interface RowAsked {\n  id: string\n}',
  'db/four.ts: house(private-words)': 'export const run = (given: string) => given',
  'functions/edge/five.test.ts: house(private-words)': 'export const seen = 1',
  'functions/api/six.testing.ts: house(private-words)': 'export const held = 1',
  'db/seven.ts: house(private-words)': 'export const ofSource = 1',
  'scripts/seven.ts: house(private-words)': 'export const { a: kept } = { a: 1 }',
  'scripts/walks/nine.walk.ts: house(private-words)': 'export const asked = 1',
  'app/server/eight.ts: house(replaced-words)': 'export const letter = 1',
  'app/eleven.tsx: house(words-of-types)': 'export type Seen = string',
  'scripts/twelve.test.ts: house(words-of-types)': 'interface Into {\n  id: string\n}\nexport type Id = Into',
  'app/server/verbs.ts: house(functions-are-verbs)':
    'export const nameOf = (row: { name: string }) => row.name',
  'db/verbs.ts: house(functions-are-verbs)': 'export function rowsOf() {}',
  'functions/jobs/verbs.test.ts: house(functions-are-verbs)': 'export const one = { keyOf: () => 1 }',
  'functions/engine/verbs.ts: house(functions-are-verbs)':
    'export class One {\n  #slotOf() {\n    return this.#slotOf\n  }\n}',
  'functions/shapes/verbs.ts: house(functions-are-verbs)':
    'export interface One {\n  textOf(row: string): string\n}',
  'functions/api/verbs.ts: house(functions-are-verbs)':
    'export interface One {\n  textOf: (row: string) => string\n}',
  'db/vague.ts: house(functions-are-verbs)': 'export function keepRows() {}',
  'app/client/vague.ts: house(functions-are-verbs)': 'export const tellRows = () => 1',
  'functions/domain/vague.ts: house(functions-are-verbs)':
    'export class One {\n  takeRow() {\n    return 1\n  }\n}',
  'functions/edge/vague.test.ts: house(functions-are-verbs)':
    'export const run = (look: () => number) => look()',
  'scripts/verbs.ts: house(functions-are-verbs)': 'export const run = (costOf: () => number) => costOf()',
  'app/components/verbs.test.tsx: house(functions-are-verbs)': 'export const shownIn = () => 1',
  'functions/edge/verbs.ts: house(functions-are-verbs)': 'export function keptValues() {}',
  'app/server/thirteen.ts: house(formats-by-hand)': "export const text = (1).toLocaleString('en')",
  'app/routes/thirteen.tsx: house(formats-by-hand)': "export const form = new Intl.DateTimeFormat('en')",
  'app/components/thirteen.ts: house(formats-by-hand)': 'export const form = Intl.NumberFormat()',
  'app/routes/ten.tsx: house(words-of-properties)': 'export interface PartProps {\n  refused: boolean\n}',
}
/** The files in which the same code is allowed. */
const fineFiles: Faults = {
  'functions/platform/cache/depends.ts': "declare const ctx: { depends: Set<string> }\nctx.depends.add('x')",
  'db/migrations/0001_typed.ts': 'export const typed = 1',
  'functions/api/dataset.ts':
    'export type Dataset = string\nexport interface Grid {\n  id: string\n}\nexport type SeenState = Dataset',
  'functions/shapes/sent.ts':
    "import * as v from 'valibot'\nexport const Sent = v.string()\nexport type Sent = v.InferOutput<typeof Sent>",
  'app/components/list/date-format.ts': "export const form = new Intl.DateTimeFormat('en')",
  'app/routes/hub/one.tsx': "export const form = new Intl.DateTimeFormat('de')",
  'functions/api/json-schema.ts':
    'export const schema = { regionOf: null, anyOf: [{ type: null }] }\nexport const shownIn = schema',
  'functions/engine/taken.ts':
    'export const take = (count: number) => count\nexport const lookUp = take\nexport const takeTurns = () => take(1)',
  'scripts/letter.ts': "export const letter = 'a'\nconsole.warn('one')",
}

const component = (body: string) => `import { useEffect, useMemo, useState } from 'react'
import { useForm } from 'react-hook-form'
export const imported = [useEffect, useForm, useMemo, useState]
export let shared = ''
export const share = (text: string) => (shared = text)
export function Part({ id, list }: { id: string; list: string[] }) {
  ${body}
  return list
}
`
const screen = (element: string) => `export function Part({ id }: { id: string }) {\n  return ${element}\n}\n`
const toFileName = (rule: string) => rule.replace(/[^a-z-]+/g, '_')

// The linter silently skips rules that need types unless it is told to read types, and rules whose plugin is
// not listed.
test('each rule finds its violation and accepts its exceptions', () => {
  const root = mkdtempSync(join(tmpdir(), 'commonplace-rules-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const path of ['.oxlintrc.json', 'scripts/lint/words.js']) cpSync(path, join(root, path))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const expected = [...refusedTwice]
  const plant = (path: string, text: string, rule: string) => {
    write(path, text)
    expected.push(`${path}: ${rule}`)
  }
  const pathsWithTypes = Object.entries(typeFaults).map(([rule, text]) => {
    const declaration = text.includes('fetchNumber')
      ? 'declare const fetchNumber: () => Promise<number>\n'
      : ''
    plant(`${toFileName(rule)}.ts`, `${declaration}${text}\nexport {}\n`, rule)
    return `${toFileName(rule)}.ts`
  })
  for (const [rule, body] of Object.entries(reactFaults))
    plant(`app/${toFileName(rule)}.tsx`, component(body), rule)
  for (const [rule, element] of Object.entries(screenFaults))
    plant(`app/${rule}.tsx`, screen(element), `jsx-a11y(${rule})`)
  for (const [rule, text] of Object.entries(syntaxFaults)) plant(`${toFileName(rule)}.ts`, `${text}\n`, rule)
  for (const [rule, text] of Object.entries(fileFaults))
    plant(rule.split(': ')[0] ?? '', `${text}\n`, rule.split(': ')[1] ?? '')
  for (const [i, element] of fineScreens.entries()) write(`app/fine-${i}.tsx`, screen(element))
  for (const [path, text] of Object.entries(fineFiles)) write(path, `${text}\n`)
  write('fine.ts', "export type Name = string\nexport const fine = async () => await Promise.resolve('')\n")
  const compilerOptions = { strict: true, target: 'ES2022', module: 'ESNext', types: [] }
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: [...pathsWithTypes, 'fine.ts'] }))
  const { stdout } = spawnSync(
    'node_modules/.bin/oxlint',
    ['--format', 'json', '-c', join(root, '.oxlintrc.json'), root],
    { encoding: 'utf8' },
  )
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }
  const refusals = diagnostics.map(
    ({ code, filename }) => `${filename.slice(filename.indexOf(root) < 0 ? 0 : root.length + 1)}: ${code}`,
  )
  expect([...new Set(refusals)].sort()).toEqual(expected.sort())
  // Every enabled rule must have a violation here.
  const base = (rule: string) => rule.replace(/^.*[/(]/, '').replace(/\).*$/, '')
  const rules = [...readFileSync('.oxlintrc.json', 'utf8').matchAll(/"([a-z0-9/-]+)": \[?\s*"error"/g)]
    .map(([, name = '']) => base(name))
    .filter((name) => name !== 'reportUnusedDisableDirectives')
  expect(new Set([...expected.map(base), withoutFault])).toEqual(new Set(rules))
})
