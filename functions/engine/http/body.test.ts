import { describe, expect, test } from 'vitest'
import { readBody } from './body.ts'

const boundary = 'the-boundary'
const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n`
const end = `\r\n--${boundary}--\r\n`

/** A form with a file of so many megabytes, sent in pieces of one without its length; `pulled`: those that were read. */
function createFormRequest(megabytes: number, headers: Record<string, string> = {}) {
  let pulled = 0
  const pieces = [head, ...Array.from({ length: megabytes }, () => 'x'.repeat(1_000_000)), end]
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[pulled++]
        if (piece === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(piece))
      },
    },
    { highWaterMark: 0 },
  )
  const init = {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
    body,
    duplex: 'half',
  }
  return { request: new Request('http://hub.test/', init), read: () => pulled }
}

const words = { kind: 'tooLarge', message: expect.stringContaining('25 MB') as string }

describe('a form', () => {
  test('without its length is read', async () => {
    const { file } = (await readBody(createFormRequest(2).request, true)) as { file: File }
    expect([file.name, file.size]).toEqual(['a.csv', 2_000_000])
  })

  test('that is too long is read to where it is, with or without a length, true or not', async () => {
    const silent = createFormRequest(60)
    await expect(readBody(silent.request, true)).rejects.toMatchObject(words)
    expect(silent.read()).toBeLessThan(30)
    const lying = createFormRequest(60, { 'content-length': '5' })
    await expect(readBody(lying.request, true)).rejects.toMatchObject(words)
    expect(lying.read()).toBeLessThan(30)
    const honest = createFormRequest(60, { 'content-length': '60000000' })
    await expect(readBody(honest.request, true)).rejects.toMatchObject(words)
    expect(honest.read()).toBe(0)
  })

  test('leaves the rest of its body to whoever drains it', async () => {
    const { request } = createFormRequest(60)
    await readBody(request, true).catch(() => {})
    expect(request.body?.locked).toBe(false)
    expect((await request.body?.getReader().read())?.done).toBe(false)
  })

  test('that breaks off is refused as unreadable, not as too long', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    const request = new Request('http://hub.test/', {
      ...{ method: 'POST', headers, body },
      duplex: 'half',
    } as RequestInit)
    await expect(readBody(request, true)).rejects.toMatchObject({ kind: 'invalid' })
  })
})

test('JSON without its length is read to where it is too long', async () => {
  let pulled = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled += 1
        controller.enqueue(new TextEncoder().encode(' '.repeat(1_000_000)))
      },
    },
    { highWaterMark: 0 },
  )
  const request = new Request('http://hub.test/', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body },
    duplex: 'half',
  } as RequestInit)
  await expect(readBody(request, false)).rejects.toMatchObject({ kind: 'tooLarge' })
  expect(pulled).toBeLessThan(15)
})
