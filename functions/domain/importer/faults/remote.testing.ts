import type { IncomingMessage, ServerResponse } from 'node:http'
import { flaky } from '#functions/engine/import/fetch/testing.ts'
import type { Random } from '#functions/engine/query/differential/random.testing.ts'

interface Remote {
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Ends all hanging requests, and hangs no more from then on. */
  release(): void
}

/** Faults of a server before it behaves. */
const moods = ['refuses', 'drops', 'hangs', 'drips', 'changes'] as const

/**
 * An unreliable server of one file: answers busy, drops the connection, never answers, is slow, breaks off, and first
 * serves another file, which it never completes. Finally it serves the file. `isCalm`: immediately.
 */
export function remote(random: Random, text: string, isCalm = false): Remote {
  const file = Buffer.from(text)
  // Of the same length, so that the length reveals nothing, with other rows.
  const other = Buffer.from(text.replaceAll(',oak,', ',elm,'))
  // It hangs once at most: otherwise all workers hang together, and the test waits as long as the product does.
  const left = random
    .some(0, isCalm ? 0 : 3, () => random.pick(moods))
    .filter((mood, i, all) => mood !== 'hangs' || all.indexOf(mood) === i)
  const cuts = random.some(0, isCalm ? 0 : 3, () => random.below(file.length))
  const takesRanges = random.chance(0.5)
  const serve = flaky({
    file,
    cuts,
    takesRanges,
    isChunked: random.chance(0.3),
    ...((takesRanges || random.chance(0.5)) && { etag: '"file"' }),
  })
  const hung = new Set<ServerResponse>()
  let isReleased = false
  const handle: Remote['handle'] = (request, response) => {
    const mood = left.shift()
    if (mood === 'refuses') response.writeHead(503, { 'retry-after': '1' }).end()
    else if (mood === 'drops') request.socket.resetAndDestroy()
    else if (mood === 'hangs' && !isReleased) hung.add(response)
    else if (mood === 'changes') {
      response.writeHead(200, { etag: '"other"', 'accept-ranges': 'bytes', 'content-length': other.length })
      response.write(other.subarray(0, other.length / 2), () => response.socket?.destroySoon())
    } else if (mood === 'drips') {
      response.writeHead(200, { 'content-length': file.length })
      const third = Math.ceil(file.length / 3)
      for (let i = 0; i < 3; i += 1)
        setTimeout(() => response.write(file.subarray(i * third, (i + 1) * third)), i * 40)
    } else serve(request, response)
  }
  return {
    handle,
    release() {
      isReleased = true
      for (const response of hung) response.socket?.destroy()
    },
  }
}
