import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readDemo } from '../seed/demo.ts'

/** A product that was started by its command, in a process group of its own. */
interface StartedProduct {
  /** The steps of the start, with the seconds after which each began. */
  steps: { name: string; at: number }[]
  /** All lines of its output. */
  lines: string[]
  /** Resolves to true when it reports that it is ready, to false when it exited before. */
  ready: Promise<boolean>
  /** Resolves when the command has exited. */
  ended: Promise<void>
  /** Kills the serving process alone, or with all its children, by SIGKILL, which they cannot handle. */
  kill(whom: 'node' | 'tree'): void
  /** Stops it like Ctrl+C. */
  stop(): Promise<void>
}

/** Starts the product as `npm start` does, in a folder and on a port of its own. */
export function startIn(folder: string, port: number): StartedProduct {
  const startMs = performance.now()
  const child = spawn(process.execPath, ['scripts/setup.mjs', 'start'], {
    env: { ...process.env, PORT: String(port), DATA_FOLDER: folder, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const started: Pick<StartedProduct, 'steps' | 'lines'> = { steps: [], lines: [] }
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        started.lines.push(line)
        if (line.startsWith('… '))
          started.steps.push({ name: line.slice(2), at: (performance.now() - startMs) / 1000 })
        if (line.includes('Commonplace is ready')) resolve(true)
      })
    void exit.then(() => resolve(false))
  })
  return {
    ...started,
    ready,
    ended: exit,
    kill(target) {
      // It exited by itself: its output tells why.
      if (child.exitCode !== null) return
      // The group contains everything except the guard of the children, which then has nothing left to do.
      if (target === 'tree') process.kill(-(child.pid ?? 0), 'SIGKILL')
      else for (const pid of listChildPids(child)) process.kill(pid, 'SIGKILL')
    },
    async stop() {
      child.kill('SIGTERM')
      await exit
    },
  }
}

/** The child processes of the command: the one that serves. */
function listChildPids({ pid }: ChildProcess): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number)
  } catch {
    return []
  }
}

/** Counts what a reader and a program find of the demo, and whether its hubs and accounts answer. */
export async function countDemoContents(folder: string, port: number): Promise<Record<string, number>> {
  const { accounts, places } = readDemo(join(folder, 'demo.json'))
  const get = (path: string, host = 'localhost', key: string | null = null) =>
    ask({ port, path, host: `${host}:${port}`, key })
  const counts: Record<string, number> = {}
  const key = accounts.find(({ role }) => role === 'super_admin')?.key ?? null
  for (const kind of ['places', 'users', 'dataTypes', 'sources', 'insights']) {
    const { status, body } = await get(`/v1/${kind}?limit=1`, 'localhost', key)
    counts[kind] = status === 200 ? (JSON.parse(body) as { meta: { total: number } }).meta.total : -status
  }
  const sources = await get('/v1/sources?limit=100', 'localhost', key)
  for (const { id } of (JSON.parse(sources.body) as { results: { id: string }[] }).results) {
    const { body } = await get(`/v1/sources/${id}/data?limit=1&count=exact`, 'localhost', key)
    counts[`records of ${id}`] = (JSON.parse(body) as { meta: { total: number } }).meta.total
  }
  for (const { id, host, isHub } of places) {
    if (!isHub) continue
    for (const path of ['/', '/datastories', '/domains', '/map', '/about'])
      counts[`status of ${host}${path}`] = (await get(path, host)).status
    for (const kind of ['pages', 'collections']) {
      const { body } = await get(`/v1/places/${id}/${kind}?limit=100`, 'localhost', key)
      counts[`${kind} of ${id}`] = (JSON.parse(body) as { results: unknown[] }).results.length
    }
  }
  return counts
}

function ask(question: {
  port: number
  path: string
  host: string
  key: string | null
}): Promise<{ status: number; body: string }> {
  const { port, path, host, key } = question
  const headers = { host, ...(key ? { authorization: `Bearer ${key}` } : {}) }
  return new Promise((resolve, reject) => {
    const httpRequest = request({ host: '127.0.0.1', port, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      )
    })
    httpRequest.on('error', reject)
    httpRequest.end()
  })
}
