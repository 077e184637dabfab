import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkTypes, CleanFiles } from './known-checks.ts'

/** A project of three files: `b` uses what `a` exports, `c` nothing. */
const root = mkdtempSync(join(tmpdir(), 'commonplace-check-'))
const write = (name: string, text: string) => writeFileSync(join(root, name), text)
const names = ['a.ts', 'b.ts', 'c.ts']
const hashes = () => names.map(checkTypes(root).hashOf)

beforeAll(() => {
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'))
  for (const name of ['package-lock.json', 'eslint.config.js']) write(name, '')
  write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, isolatedModules: true, types: [], lib: ['ES2022'] },
      files: names,
    }),
  )
  write('a.ts', 'export function one(): number {\n  return 1\n}\n')
  write('b.ts', "import { one } from './a'\none()\n")
  write('c.ts', 'export const two = 2\n')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('a file means something else when what it imports has changed, and nothing else does', () => {
  const before = hashes()
  expect(hashes()).toEqual(before)
  // A promise that nobody waits for is now in a file that nobody has touched.
  write('a.ts', 'export async function one(): Promise<number> {\n  return 1\n}\n')
  const after = hashes()
  expect(names.filter((_name, i) => after[i] !== before[i])).toEqual(['a.ts', 'b.ts'])
})

test('what is wrong is said again until it is right, also in a file that nobody has touched', () => {
  const messages = () =>
    checkTypes(root).diagnostics.map(({ file, code }) => `${relative(root, file?.fileName ?? '')} ${code}`)
  expect(messages()).toEqual([])
  write('a.ts', 'export const three = 3\n')
  expect(messages()).toEqual(['b.ts 2305'])
  expect(messages()).toEqual(['b.ts 2305'])
  write('a.ts', 'export const one = () => 1\n')
  expect(messages()).toEqual([])
})

test('a file is known to be in order by what it means, under the rules it was linted by', () => {
  new CleanFiles(root).write([['c.ts', 'hash']])
  const clean = new CleanFiles(root)
  expect([clean.has('c.ts', 'hash'), clean.has('c.ts', 'another'), clean.has('b.ts', 'hash')]).toEqual([
    true,
    false,
    false,
  ])
  write('eslint.config.js', 'export default []')
  expect(new CleanFiles(root).has('c.ts', 'hash')).toBe(false)
})
