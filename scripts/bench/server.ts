import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { asPostgres, makeCluster, postgresBin } from '../cluster.ts'
import { findFreePort } from '../local.ts'

/** A Postgres to measure on. `owner` is the URL of its superuser; loaded data is kept for the next run. */
export interface Server {
  owner: URL
  version: string
  close(): Promise<void>
}

/**
 * Opens the server that `BENCH_POSTGRES_URL` names, else starts the newest one installed here (15 or later),
 * with a cluster of its own in the temporary folder. Throws `CommandError` when there is none.
 */
export async function openServer(log: (line: string) => void): Promise<Server> {
  const url = process.env.BENCH_POSTGRES_URL
  if (url)
    return { owner: new URL(url), version: await readServerVersion(new URL(url)), close: async () => {} }
  const bin = postgresBin()
  const cluster = join(tmpdir(), 'commonplace-bench')
  if (!existsSync(join(cluster, 'data'))) {
    log('  making a cluster')
    await makeCluster(cluster)
  }
  // An aborted run left the server running; it is reused.
  const running = findPort(cluster)
  const port = running ?? (await findFreePort())
  if (!running)
    await asPostgres(
      `${bin}/pg_ctl -D ${cluster}/data -w -l ${cluster}/log -o '${settingsFor(port, cluster)}' start >/dev/null`,
    )
  const owner = new URL(`postgres://postgres@127.0.0.1:${port}/postgres`)
  return {
    owner,
    version: await readServerVersion(owner),
    async close() {
      if (!running) await asPostgres(`${bin}/pg_ctl -D ${cluster}/data -m fast stop >/dev/null`)
    },
  }
}

/** Returns the port of a running cluster; null when it does not run. */
function findPort(cluster: string): number | null {
  const file = join(cluster, 'data/postmaster.pid')
  if (!existsSync(file)) return null
  const [pid, , , port] = readFileSync(file, 'utf8').split('\n').map(Number)
  try {
    if (pid) process.kill(pid, 0)
    return port ?? null
  } catch {
    rmSync(file)
    return null
  }
}

function settingsFor(port: number, cluster: string): string {
  // Durability is off: reads are measured, and loading only as a ratio to a load on the same server.
  return [
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${cluster}`,
    '-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_wal_size=8GB',
    '-c shared_buffers=2GB -c work_mem=64MB -c maintenance_work_mem=1GB -c jit=off -c max_connections=100',
    // No parallel workers: on two cores shared with the client they would only add noise.
    '-c max_parallel_workers_per_gather=0',
  ].join(' ')
}

async function readServerVersion(url: URL): Promise<string> {
  const client = new Client({ connectionString: url.href })
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  await client.end()
  return rows[0]?.server_version ?? ''
}
