import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { uploadTarget } from './target.ts'

const fileId = '0b9c7f52-2f6c-4a3e-9a51-7d3f0f5a1c11'
const now = new Date('2026-11-21T12:00:00Z')
const upload = { fileId, type: 'image/png', size: 69, expiresAt: new Date('2026-11-21T12:15:00Z') }
const r2 = {
  endpoint: 'https://account.r2.test',
  accessKeyId: 'key-id',
  secretAccessKey: 'a secret',
  bucket: 'files',
}

/** The signature of a query as AWS Signature Version 4 describes it, computed by other means. */
function computeSignature(url: URL, headers: Record<string, string>): string {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const names = Object.keys(headers).sort()
  const canonical = [
    'PUT',
    url.pathname,
    query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'),
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    'UNSIGNED-PAYLOAD',
  ].join('\n')
  const scope = '20261121/auto/s3/aws4_request'
  const key = ['20261121', 'auto', 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${r2.secretAccessKey}`,
  )
  return hmac(key, ['AWS4-HMAC-SHA256', '20261121T120000Z', scope, hash(canonical)].join('\n')).toString(
    'hex',
  )
}

test("the bucket's own URL is signed for this type and length, for 15 minutes", async () => {
  const target = await uploadTarget(upload, { r2, authSecret: 'x' }, 'https://app.test', now)
  const url = new URL(target.url)
  expect([url.origin, url.pathname]).toEqual(['https://account.r2.test', `/files/c/${fileId}`])
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    'X-Amz-Expires': '900',
    'X-Amz-SignedHeaders': 'content-length;content-type;host',
    'X-Amz-Signature': computeSignature(url, {
      'content-length': '69',
      'content-type': 'image/png',
      host: url.host,
    }),
  })
  expect([target.method, target.headers]).toEqual(['PUT', { 'content-type': 'image/png' }])
  expect(target.url).not.toContain('a%20secret')
})

test('without keys of the bucket the URL is one of the Worker', async () => {
  const target = await uploadTarget(upload, { authSecret: 'x' }, 'https://app.test', now)
  expect(target.url).toMatch(
    new RegExp(
      `^https://app\\.test/m/upload/${fileId}\\?type=image%2Fpng&size=69&expires=\\d+&signature=[\\w-]{43}$`,
    ),
  )
})
