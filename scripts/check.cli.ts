import { spawnSync } from 'node:child_process'
import { breaches } from './check-rooms.ts'

// Everything that can be said of the code without running it. Each check prints what is wrong and where.
const checks: Record<string, () => boolean> = {
  'the rule between rooms': () => {
    const found = breaches()
    for (const { file, imports, why } of found) console.error(`${file} imports ${imports}: ${why}`)
    return found.length === 0
  },
  types: () => run('tsc', '--noEmit'),
  lint: () => run('eslint', '.', '--max-warnings', '0'),
  format: () => run('prettier', '--check', '--log-level', 'warn', '.'),
}

function run(command: string, ...args: string[]): boolean {
  return spawnSync('npx', ['--no-install', command, ...args], { stdio: 'inherit' }).status === 0
}

let failed = 0
for (const [name, check] of Object.entries(checks)) {
  const isFine = check()
  console.log(`${isFine ? '✓' : '✗'} ${name}`)
  if (!isFine) failed += 1
}
process.exit(failed)
