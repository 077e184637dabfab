import { readdirSync, readFileSync } from 'node:fs'
import WebSocket from 'ws'

/** The memory of an isolate in megabytes: its heap in use, and the buffers it keeps outside of the heap. */
export interface Isolate {
  /** Rejects when the isolate has ended. */
  megabytes(): Promise<number>
  close(): void
}

/**
 * The name that Miniflare gives the Worker's own isolate; a dozen others in the process simulate the
 * platform.
 */
const worker = 'core:user:'

/**
 * Connects to the isolate of a Worker started with `inspectorPort` by the DevTools protocol
 * (`Runtime.getHeapUsage`). `name` selects one of several Workers. The platform's limit of 128 MB is on this
 * memory. Rejects when it cannot be reached.
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

/** Sizes in bytes. */
interface Usage {
  usedSize: number
  backingStorageSize: number
}

/** Resident megabytes of the workerd started by this process; null where that is unknown. */
export function workerdMegabytes(): number | null {
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const status = readProcessStatus(pid)
      if (!/^Name:\s+workerd$/m.test(status) || !new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status))
        continue
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? NaN) / 1024
    }
  } catch {
    return null
  }
  return null
}

/** Reads the status of a process from `/proc`; empty when it has just ended. */
function readProcessStatus(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
