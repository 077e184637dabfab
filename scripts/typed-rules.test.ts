import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const faults = {
  'no-floating-promises': 'fetchNumber()',
  'no-misused-promises': 'if (fetchNumber()) throw new Error()',
  'await-thenable': 'export const one = await 1',
  'switch-exhaustiveness-check': "declare const key: 'a' | 'b'\nswitch (key) {\n  case 'a':\n}",
}

// The linter leaves rules that need types out in silence where it is not told to read types.
test('each rule that needs types finds its fault, and nothing else is refused', () => {
  const root = mkdtempSync(join(tmpdir(), 'commonplace-rules-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  copyFileSync('.oxlintrc.json', join(root, '.oxlintrc.json'))
  const files = Object.entries(faults).map(([rule, text]) => {
    const file = `${rule}.ts`
    const declared = text.includes('fetchNumber') ? 'declare const fetchNumber: () => Promise<number>\n' : ''
    writeFileSync(join(root, file), `${declared}${text}\nexport {}\n`)
    return file
  })
  writeFileSync(join(root, 'fine.ts'), 'export const fine = async () => await Promise.resolve(1)\n')
  const compilerOptions = { strict: true, target: 'ES2022', module: 'ESNext', types: [] }
  writeFileSync(
    join(root, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: [...files, 'fine.ts'] }),
  )
  const { stdout } = spawnSync(
    'node_modules/.bin/oxlint',
    ['--format', 'json', '-c', join(root, '.oxlintrc.json'), root],
    {
      encoding: 'utf8',
    },
  )
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }
  const refused = diagnostics.map(({ code, filename }) => `${filename.split('/').at(-1) ?? ''}: ${code}`)
  expect(refused.sort()).toEqual(
    Object.keys(faults)
      .map((rule) => `${rule}.ts: typescript(${rule})`)
      .sort(),
  )
})
