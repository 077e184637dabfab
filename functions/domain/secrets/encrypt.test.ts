import { expect, test } from 'vitest'
import { computeKeyId } from '#functions/platform/auth-secrets.ts'
import { encrypt, decrypt } from './encrypt.ts'

const authSecret = 'what only the product knows, long enough'
const secret = { authSecret }
const before = { authSecret: 'what it knew before that, just as long' }
const both = { ...secret, previousAuthSecret: before.authSecret }
const readBody = (ciphertext: string) => ciphertext.slice(ciphertext.lastIndexOf('.') + 1)
const of = { purpose: 'importer', id: 'feed' } as const

test('decrypts what was encrypted, whatever it contains', async () => {
  for (const text of ['', 'Bearer abc', 'ключ 🔑', 'x'.repeat(100_000)])
    expect(await decrypt(secret, of, await encrypt(secret, of, text))).toBe(text)
})

test('hides the text, and no two ciphertexts are equal', async () => {
  const [one, other] = [await encrypt(secret, of, 'open sesame'), await encrypt(secret, of, 'open sesame')]
  expect(one).not.toBe(other)
  expect(atob(readBody(one))).not.toContain('sesame')
})

test('decrypts only for the row it was encrypted for', async () => {
  const ciphertext = await encrypt(secret, of, 'open sesame')
  expect(await decrypt(secret, { ...of, id: 'other' }, ciphertext)).toBeNull()
  expect(await decrypt(secret, { purpose: 'observer', id: 'feed' }, ciphertext)).toBeNull()
  expect(await decrypt({ authSecret: `${authSecret}!` }, of, ciphertext)).toBeNull()
})

test('does not decrypt when a single byte was changed', async () => {
  const ciphertext = await encrypt(secret, of, 'open sesame')
  const bytes = Uint8Array.from(atob(readBody(ciphertext)), (character) => character.charCodeAt(0))
  const head = ciphertext.slice(0, ciphertext.lastIndexOf('.'))
  for (let i = 0; i < bytes.length; i++) {
    const changedBytes = bytes.map((byte, at) => (at === i ? byte ^ 1 : byte))
    for (const start of [head, 'v1'])
      expect(await decrypt(secret, of, `${start}.${btoa(String.fromCharCode(...changedBytes))}`)).toBeNull()
  }
  for (const invalidCiphertext of [
    ...['', 'v1.', 'v1', ciphertext.slice(0, 20), `v3${ciphertext.slice(2)}`, 'v1.%%%', 'plain text'],
    ...['v2.', 'v2', head, `${head}.%%%`, `v2.${readBody(ciphertext)}`, `${ciphertext}.more`],
  ])
    expect(await decrypt(secret, of, invalidCiphertext)).toBeNull()
})

test('names the secret it was encrypted with, and decrypts while that is one of the two', async () => {
  const old = await encrypt(before, of, 'open sesame')
  expect(old).toMatch(new RegExp(`^v2\\.${await computeKeyId(before.authSecret)}\\.`))
  expect(await decrypt(both, of, old)).toBe('open sesame')
  expect(await decrypt(secret, of, old)).toBeNull()
  const fresh = await encrypt(both, of, 'open sesame')
  expect(await decrypt(secret, of, fresh)).toBe('open sesame')
  expect(await decrypt(before, of, fresh)).toBeNull()
})

test('earlier texts name no secret: they decrypt with whichever of the two it was', async () => {
  const old = await encrypt(before, of, 'open sesame')
  const unmarked = `v1.${readBody(old)}`
  expect(await decrypt(both, of, unmarked)).toBe('open sesame')
  expect(await decrypt(before, of, unmarked)).toBe('open sesame')
  expect(await decrypt(secret, of, unmarked)).toBeNull()
})
