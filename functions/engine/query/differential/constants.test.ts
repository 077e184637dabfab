import { expect, test } from 'vitest'
import { asDate, asNumber } from '#functions/shapes/fields/constants.ts'
import { parseDate, parseNumber } from './constants.testing.ts'
import { Random } from './random.testing.ts'

const parts = [
  ...[
    '2017',
    '2020',
    '0000',
    '0001',
    '9999',
    '-',
    '-01',
    '-02',
    '-13',
    '-00',
    '-28',
    '-29',
    '-30',
    '-31',
    '-1',
  ],
  ...[
    'T',
    ' ',
    't',
    '00',
    '23',
    '24',
    '60',
    ':00',
    ':59',
    ':60',
    '.5',
    '.123456',
    '.',
    'Z',
    'z',
    '+00:00',
    '-0430',
    '+24:00',
    '+23:59',
  ],
  ...[
    '1',
    '0',
    '.5',
    '5.',
    'e3',
    'e400',
    'E-400',
    '-',
    '+',
    ' ',
    '0x10',
    'Infinity',
    'NaN',
    '1_000',
    ',',
    '١',
  ],
]
const dateShaped = (random: Random) => {
  const pickTwoDigits = (most: number) => String(random.below(most + 2)).padStart(2, '0')
  const year = random.pick(['0000', '0001', '1900', '2000', '2020', '2021', '9999'])
  const day = random.chance(0.9) ? `-${pickTwoDigits(31)}` : ''
  const time =
    random.chance(0.7) && day ? `${random.pick(['T', ' '])}${pickTwoDigits(23)}:${pickTwoDigits(59)}` : ''
  const second =
    time && random.chance(0.7) ? `:${pickTwoDigits(59)}${random.pick(['', '', '.1', '.999999'])}` : ''
  const zone = time ? random.pick(['', 'Z', '+14:00', '-1200', '+23:59', '+24:00', '-05:60']) : ''
  return `${year}-${pickTwoDigits(12)}${day}${time}${second}${zone}`
}

test('20,000 texts are parsed as numbers and dates by the rules of the query language, or rejected', () => {
  const random = new Random(7)
  const counts = { numbers: 0, dates: 0 }
  for (let i = 0; i < 20_000; i++) {
    const text = random.chance(0.5)
      ? dateShaped(random)
      : random.some(0, 6, () => random.pick(parts)).join('')
    const [number, date] = [asNumber(text), asDate(text)]
    const expectedDate = parseDate(text)
    expect(number, text).toBe(parseNumber(text))
    expect(date, text).toBe(expectedDate && new Date(expectedDate.ms).toISOString())
    if (number !== undefined) counts.numbers += 1
    if (date !== undefined) counts.dates += 1
  }
  expect(counts.numbers).toBeGreaterThan(300)
  expect(counts.dates).toBeGreaterThan(3000)
})
