import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Makes scrypt cheap in tests. Tests hash and verify hundreds of passwords; 16,384 rounds of scrypt, which
 * make guessing expensive, took more time of some files than everything else. This replaces `crypto.scrypt`
 * by one with fewer rounds: the same function, salt, length and format. Both hashing and verifying go through
 * it. Asking for fewer rounds than the product must use throws.
 */
const maxRounds = 256
const minAsked = 16_384
const isCheap = Symbol.for('passwords of tests are cheap')
type Scrypt = (
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: crypto.ScryptOptions,
  done: (error: Error | null, key: Buffer) => void,
) => void

const whole = crypto.scrypt as Scrypt & { [isCheap]?: true }
if (!whole[isCheap]) {
  const cheap: Scrypt = (password, salt, length, options, done) => {
    if ((options.N ?? 0) < minAsked)
      throw new Error(`A password is to be hashed in ${minAsked} rounds or more.`)
    whole(password, salt, length, { ...options, N: maxRounds }, done)
  }
  crypto.scrypt = Object.assign(cheap, { [isCheap]: true }) as unknown as typeof crypto.scrypt
  // So that named imports of it see the replacement too.
  syncBuiltinESMExports()
}
