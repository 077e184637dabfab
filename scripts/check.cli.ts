import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { houseFaults } from './house/house.ts'
import { findBreaches } from './house/layers.ts'
import { readModules, readTexts } from './house/modules.ts'
import { findBrokenPaths } from './house/named-paths.ts'
import { findMissingColumns } from './house/row-columns.ts'
import { findUnusedExports } from './house/unused-exports.ts'
import { secretsInHistory } from './supply/history.ts'
import { lockfileFaults, readLockfile, staleInstallScripts } from './supply/lockfile.ts'
import { secretsBelow } from './supply/secrets.ts'

const modules = readModules()

// All static checks of the code. Each prints what is wrong and where.
const checks: Record<string, () => boolean | Promise<boolean>> = {
  'the rule between layers': () => {
    const breaches = findBreaches(modules)
    for (const { file, imports, why } of breaches) console.error(`${file} imports ${imports}: ${why}`)
    return breaches.length === 0
  },
  'loose files, names of files, circles, ways with a gap, double casts': () =>
    // Guards against a check that passes because no modules were read.
    saysNone(modules.size < 1000 ? [`only ${modules.size} modules were read`] : houseFaults(modules)),
  'packages that are locked': () => {
    const { lock, manifest } = readLockfile()
    return saysNone([...lockfileFaults(lock, manifest), ...staleInstallScripts(lock)])
  },
  'no secret in a file': () => saysNone(secretsBelow()),
  'no secret in what files were before': () => saysNone(secretsInHistory()),
  'exports that no other module uses': () =>
    saysNone(
      findUnusedExports(modules)
        .filter(({ usedBy }) => usedBy !== 'tests')
        .map(({ path, line, name }) => `${path}:${line} exports ${name}, which no other module uses`),
    ),
  'files that texts name': () => saysNone(findBrokenPaths().map((path) => `${path} does not exist`)),
  'rows of statements': () =>
    saysNone(
      findMissingColumns(readTexts([...modules.keys()])).map(
        ({ path, line, member, columns }) =>
          `${path}:${line} reads ${member} from rows of ${columns.join(', ')}`,
      ),
    ),
  // One program for both, which reads and resolves the files once. It reports the same errors as the compiler, in every
  // file of `tsconfig.json`: tried with an error in each.
  'types, and rules of code': () => runTool('oxlint', '--type-check'),
  format: () => runTool('oxfmt', '--check'),
}

function saysNone(names: string[]): boolean {
  for (const line of names) console.error(line)
  return names.length === 0
}

/** Runs a tool of the project's packages. */
const runTool = (name: string, ...args: string[]) =>
  spawnSync(join('node_modules/.bin', name), args, { stdio: 'inherit' }).status === 0

let failures = 0
for (const [name, check] of Object.entries(checks)) {
  const isFine = await check()
  console.log(`${isFine ? '✓' : '✗'} ${name}`)
  if (!isFine) failures += 1
}
process.exit(failures)
