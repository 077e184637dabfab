import WebSocket from 'ws'

/** What an isolate holds, in megabytes: its heap in use, and the buffers outside of the heap that it keeps. */
export interface Isolate {
  megabytes(): Promise<number>
  close(): void
}

/** The name that Miniflare gives the isolate of the Worker itself; a dozen others in the process stand for the platform. */
const worker = 'core:user:'

/**
 * The isolate of the Worker that was started with `inspectorPort`, asked by the protocol of developer tools
 * (`Runtime.getHeapUsage`). This is what the platform's limit of 128 MB is of. Rejects when it cannot be reached.
 */
export async function openIsolate(inspectorPort: number): Promise<Isolate> {
  const socket = new WebSocket(`ws://127.0.0.1:${inspectorPort}/${worker}`)
  const waiting = new Map<number, (usage: Usage) => void>()
  socket.on('message', (text: Buffer) => {
    const { id, result } = JSON.parse(text.toString()) as { id: number; result: Usage }
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  let asked = 0
  return {
    async megabytes() {
      const id = ++asked
      const usage = await new Promise<Usage>((resolve) => {
        waiting.set(id, resolve)
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
