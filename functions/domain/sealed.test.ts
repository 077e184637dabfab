import { expect, test } from 'vitest'
import { seal, unseal } from './sealed.ts'

const secret = 'what only the product knows, long enough'
const of = { purpose: 'importer', id: 'feed' } as const

test('what was sealed opens again, whatever it holds', async () => {
  for (const text of ['', 'Bearer abc', 'ключ 🔑', 'x'.repeat(100_000)])
    expect(await unseal(secret, of, await seal(secret, of, text))).toBe(text)
})

test('the text is not to be seen, and no two seals are alike', async () => {
  const [one, other] = [await seal(secret, of, 'open sesame'), await seal(secret, of, 'open sesame')]
  expect(one).not.toBe(other)
  expect(atob(one.slice(3))).not.toContain('sesame')
})

test('it opens for nothing but the row it was sealed for', async () => {
  const sealed = await seal(secret, of, 'open sesame')
  expect(await unseal(secret, { ...of, id: 'other' }, sealed)).toBeNull()
  expect(await unseal(secret, { purpose: 'observer', id: 'feed' }, sealed)).toBeNull()
  expect(await unseal(`${secret}!`, of, sealed)).toBeNull()
})

test('it does not open once a single byte is another', async () => {
  const sealed = await seal(secret, of, 'open sesame')
  const bytes = Uint8Array.from(atob(sealed.slice(3)), (character) => character.charCodeAt(0))
  for (let i = 0; i < bytes.length; i++) {
    const changed = bytes.map((byte, at) => (at === i ? byte ^ 1 : byte))
    expect(await unseal(secret, of, `v1.${btoa(String.fromCharCode(...changed))}`)).toBeNull()
  }
  for (const broken of ['', 'v1.', 'v1', sealed.slice(0, 20), `v2${sealed.slice(2)}`, 'v1.%%%', 'plain text'])
    expect(await unseal(secret, of, broken)).toBeNull()
})
