import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Tests make passwords and prove them by the hundred, each with 16,384 rounds of scrypt, which is what makes guessing them cost and took more of
 * some files than all else. Here a round is a round with fewer of them: the same function with the same salt, length and format. Both who
 * makes a hash and who proves it ask by these. Whoever asks for fewer than the product should is refused.
 */
const mostRounds = 256
const leastAsked = 16_384
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
    if ((options.N ?? 0) < leastAsked)
      throw new Error(`A password is to be hashed in ${leastAsked} rounds or more.`)
    whole(password, salt, length, { ...options, N: mostRounds }, done)
  }
  crypto.scrypt = Object.assign(cheap, { [isCheap]: true }) as unknown as typeof crypto.scrypt
  // Whoever has imported it by name sees this one.
  syncBuiltinESMExports()
}
