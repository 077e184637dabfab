import { readdirSync, readFileSync } from 'node:fs'
import WebSocket from 'ws'

/** What an isolate holds, in megabytes: its heap in use, and the buffers outside of the heap that it keeps. */
export interface Isolate {
  /** Rejects when the isolate has ended. */
  megabytes(): Promise<number>
  close(): void
}

/** The name that Miniflare gives the isolate of the Worker itself; a dozen others in the process stand for the platform. */
const worker = 'core:user:'

/**
 * The isolate of the Worker that was started with `inspectorPort`, asked by the protocol of developer tools
 * (`Runtime.getHeapUsage`). `name`: of one of several. This is what the platform's limit of 128 MB is of. Rejects when it cannot be reached.
 */
export async function openIsolate(inspectorPort: number, name = ''): Promise<Isolate> {
  const socket = new WebSocket(`ws://127.0.0.1:${inspectorPort}/${worker}${name}`)
  const waiting = new Map<number, { resolve(usage: Usage): void; reject(error: Error): void }>()
  socket.on('message', (text: Buffer) => {
    const { id, result } = JSON.parse(text.toString()) as { id: number; result: Usage }
    waiting.get(id)?.resolve(result)
    waiting.delete(id)
  })
  const outOfMemory = new Error('The isolate is gone: it may have had no memory left.')
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(outOfMemory)
    waiting.clear()
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  let questions = 0
  return {
    async megabytes() {
      const id = ++questions
      if (socket.readyState !== WebSocket.OPEN) throw outOfMemory
      const usage = await new Promise<Usage>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        socket.send(JSON.stringify({ id, method: 'Runtime.getHeapUsage' }))
      })
      return (usage.usedSize + usage.backingStorageSize) / 1e6
    },
    close: () => socket.terminate(),
  }
}

/** Bytes. */
interface Usage {
  usedSize: number
  backingStorageSize: number
}

/** Megabytes that workerd, started by this process, holds in memory; null where that cannot be known. */
export function workerdMegabytes(): number | null {
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const status = statusOf(pid)
      if (!/^Name:\s+workerd$/m.test(status) || !new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status))
        continue
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? NaN) / 1024
    }
  } catch {
    return null
  }
  return null
}

/** What the system says of a process; empty when it has just ended. */
function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
