import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const needingTypes = {
  'no-floating-promises': 'fetchNumber()',
  'no-misused-promises': 'if (fetchNumber()) throw new Error()',
  'await-thenable': 'export const one = await 1',
  'switch-exhaustiveness-check': "declare const key: 'a' | 'b'\nswitch (key) {\n  case 'a':\n}",
}

/** Components with one fault each, by its rule. One that keeps what React's compiler would has no fault that another rule does not find. */
const ofReact = {
  'error-boundaries': 'try {\n    return <p>{id}</p>\n  } catch {\n    return null\n  }',
  'exhaustive-deps': 'useEffect(() => console.log(id), [])',
  globals: 'shared = id\n  return <p>{shared}</p>',
  immutability: 'list.length = 0\n  return <p>{list.join(id)}</p>',
  'incompatible-library': 'const { watch } = useForm()\n  return <p>{watch(id)}</p>',
  purity: 'return <p>{Math.random()}</p>',
  'rules-of-hooks': 'if (id) useState(id)',
  'set-state-in-render': 'const [, setText] = useState(id)\n  setText(id)',
  'unsupported-syntax': 'return <p>{eval(id)}</p>',
  'use-memo': 'return useMemo(async () => id, [id])',
}
const pluginOf = (rule: string) => (/deps|hooks$/.test(rule) ? 'react-hooks' : 'react')
const component = (body: string) => `import { useEffect, useMemo, useState } from 'react'
import { useForm } from 'react-hook-form'
let shared = ''
export function Part({ id, list }: { id: string; list: string[] }) {
  ${body}
}
`

// The linter leaves rules that need types out in silence where it is not told to read types, and React's where their plugin is not named.
test('each rule that needs types or React’s compiler finds its fault, and nothing else is refused', () => {
  const root = mkdtempSync(join(tmpdir(), 'commonplace-rules-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  copyFileSync('.oxlintrc.json', join(root, '.oxlintrc.json'))
  const files = Object.entries(needingTypes).map(([rule, text]) => {
    const file = `${rule}.ts`
    const declared = text.includes('fetchNumber') ? 'declare const fetchNumber: () => Promise<number>\n' : ''
    writeFileSync(join(root, file), `${declared}${text}\nexport {}\n`)
    return file
  })
  mkdirSync(join(root, 'app'))
  for (const [rule, body] of Object.entries(ofReact))
    writeFileSync(join(root, 'app', `${rule}.tsx`), component(body))
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
    [
      ...Object.keys(needingTypes).map((rule) => `${rule}.ts: typescript(${rule})`),
      ...Object.keys(ofReact).map((rule) => `${rule}.tsx: ${pluginOf(rule)}(${rule})`),
    ].sort(),
  )
})
