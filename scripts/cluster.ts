import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from './local.ts'

/** Postgres refuses to run as root: then it runs as the user that the package created for it. */
const isRoot = process.getuid?.() === 0

/**
 * Runs a command of Postgres (initdb, pg_ctl) as a user who may. Throws `CommandError` with its output when it fails.
 */
export async function asPostgres(command: string): Promise<void> {
  const [program, ...rest] = isRoot
    ? (['su', 'postgres', '-s', '/bin/bash', '-c', command] as const)
    : (['bash', '-c', command] as const)
  const run = spawn(program, rest, { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  run.stderr.on('data', (part) => (output += String(part)))
  // Waits for `exit`, not `close`: the started server keeps our pipes open, but the command itself has ended.
  const [status] = (await once(run, 'exit')) as [number | null]
  if (status !== 0) throw new CommandError(`Postgres did not start: ${output.trim()}`)
}

/** Creates a cluster in the subfolder `data` of a folder, with a superuser `postgres` without a password. */
export async function makeCluster(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  if (isRoot) spawnSync('chown', ['postgres', folder])
  await asPostgres(`${postgresBin()}/initdb -D ${folder}/data -A trust -U postgres >/dev/null`)
}

/**
 * Returns the folder of the newest Postgres' programs on this machine, 15 or later. Throws `CommandError` when there
 * is none.
 */
export function postgresBin(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .filter((n) => n >= 15)
    : []
  const newest = Math.max(...versions)
  if (versions.length > 0) return join(root, String(newest), 'bin')
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  if (stdout) return stdout.trim()
  throw new CommandError(
    'There is no Postgres 15 or later here. Install it with PostGIS, or name one: BENCH_POSTGRES_URL=postgres://… npm run bench',
  )
}
