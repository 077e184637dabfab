import { readFileSync, writeFileSync } from 'node:fs'
import { computeBitPositions } from '#functions/domain/identity/stolen-passwords.ts'
import { NewPassword } from '#functions/shapes/auth.ts'
import * as v from 'valibot'

// Rebuilds the filter of stolen passwords from a list sorted by frequency: `node --import tsx
// scripts/stolen-passwords.cli.ts <list.txt>`. Passwords that are too short to be accepted anyway are left
// out.
const [list] = process.argv.slice(2)
if (!list) throw new Error('Name the list: a text file with one password a line, the most common first.')
const passwords = new Set<string>()
for (const line of readFileSync(list, 'utf8').split(/\r?\n/)) {
  if (passwords.size === 40_000) break
  if (v.is(NewPassword, line)) passwords.add(line.toLowerCase())
}
// 28.8 bits per password: a false positive rate of one in a million.
const bytes = new Uint8Array(Math.ceil((passwords.size * 28.8) / 8))
for (const password of passwords)
  for (const at of computeBitPositions(password, bytes.length * 8)) bytes[at >> 3]! |= 1 << (at & 7)
writeFileSync(
  new URL('../functions/domain/identity/stolen-passwords-bits.ts', import.meta.url),
  `// Made by scripts/stolen-passwords.cli.ts from a published list of stolen passwords: a Bloom filter of ${passwords.size} of them.\nexport const bits =\n  '${Buffer.from(bytes).toString('base64')}'\n`,
)
console.log(`${passwords.size} passwords, ${bytes.length} bytes`)
