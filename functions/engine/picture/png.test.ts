import { expect, test } from 'vitest'
import latin from './fonts/public-sans-latin-400.woff?module'
import { trueTypeFonts, withParts } from './fonts.ts'
import { pngOf } from './png.ts'
import { trueType } from './woff.ts'

/** A line of text on white. */
const drawing = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><rect width="100%" height="100%" fill="#fff"/><text x="4" y="28" font-size="20" font-family="'Public Sans',sans-serif">${text}</text></svg>`
const size = { width: 300, height: 40 }
const pixelsOf = (png: Uint8Array) => new DataView(png.buffer, png.byteOffset).getUint32(16)

test('a font is converted from WOFF completely, under the given name', async () => {
  const font = await trueType(latin, 'A Name')
  const view = new DataView(font.buffer)
  expect(view.getUint32(0)).toBe(0x00010000)
  const tables = Array.from({ length: view.getUint16(4) }, (_, at) => {
    const entry = 12 + 16 * at
    const tag = String.fromCharCode(...font.subarray(entry, entry + 4))
    return { tag, at: view.getUint32(entry + 8), length: view.getUint32(entry + 12) }
  })
  expect(tables.map(({ tag }) => tag)).toEqual(
    expect.arrayContaining(['cmap', 'glyf', 'head', 'loca', 'name']),
  )
  for (const { at, length } of tables) expect(at + length).toBeLessThanOrEqual(font.length)
  const head = tables.find(({ tag }) => tag === 'head')
  expect(view.getUint32((head?.at ?? 0) + 12)).toBe(0x5f0f3cf5)
  const name = tables.find(({ tag }) => tag === 'name')
  const text = new TextDecoder('utf-16be').decode(
    font.subarray((name?.at ?? 0) + 6 + 36, (name?.at ?? 0) + 6 + 36 + 12),
  )
  expect(text).toBe('A Name')
  await expect(trueType(new ArrayBuffer(100), 'x')).rejects.toThrow('no font')
  expect(await trueTypeFonts()).toHaveLength(8)
})

test('letters of another part of the font are in a span with its family', () => {
  expect(withParts('Calls by day')).toBe('Calls by day')
  expect(withParts('Zażółć')).toBe(
    'Za<tspan font-family="Public Sans Extended">ż</tspan>ó<tspan font-family="Public Sans Extended">łć</tspan>',
  )
  expect(withParts('Nẵng &amp; я')).toBe(
    'N<tspan font-family="Public Sans Vietnamese">ẵ</tspan>ng &amp; <tspan font-family="unknown">я</tspan>',
  )
})

test('draws each letter, also beside letters that no font has', async () => {
  const blank = await pngOf(drawing(''), size, 1)
  const [ours, other, unknown] = await Promise.all(
    ['ğ', 'ł', 'я'].map((text) => pngOf(drawing(text), size, 1)),
  )
  expect(ours).not.toEqual(blank)
  expect(ours).not.toEqual(unknown)
  expect(ours).not.toEqual(other)
  // A letter that no font has must not affect the others
  const mixed = await pngOf(drawing('łя'), size, 1)
  expect(mixed).not.toEqual(await pngOf(drawing('ğя'), size, 1))
})

test('Arabic has its own letters, joined, also among digits and letters of other scripts', async () => {
  const draw = (text: string) => pngOf(drawing(text), size, 1)
  const [blank, mixed] = await Promise.all([draw(''), draw('كان المطر 1,024.5 mm في 2015، أقل 8% من 2014.')])
  expect(mixed).not.toEqual(blank)
  // Each letter and each ligature, beside Latin text, is drawn.
  const letters = [...'ابتثجحخدذرزسشصضطظعغفقكلمنهويىةأإآؤئء،؛؟']
  const words = [...letters.map((letter) => `س${letter}س`), 'لا', 'الأمطار', 'سلام', 'لإلى', 'الآن', 'الله', 'مُدَّة']
  for (const word of words) expect(await draw(`${word} mm`), word).not.toEqual(await draw(' mm'))
  // Joined letters differ from separate ones
  expect(await draw('سلم')).not.toEqual(await draw('س\u200cل\u200cم'))
})

test('a picture has the pixels of its scale, up to the maximum', async () => {
  expect(pixelsOf(await pngOf(drawing('a'), size, 1))).toBe(300)
  expect(pixelsOf(await pngOf(drawing('a'), size, 3))).toBe(900)
  const wide = drawing('a').replace('width="300"', 'width="1600"')
  expect(pixelsOf(await pngOf(wide, { width: 1600, height: 40 }, 3))).toBe(2400)
})

test('rejects a drawing that would take too long', async () => {
  await expect(pngOf(drawing('a'.repeat(2_000_001)), size, 1)).rejects.toThrow(RangeError)
})

test('draws ten thousand points within the time limit of a Worker', async () => {
  const dots = Array.from(
    { length: 10_000 },
    (_, at) =>
      `<circle cx="${(at * 7919) % 800}" cy="${(at * 104_729) % 600}" r="3" fill="#2f75e2" fill-opacity=".5"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600">${dots.join('')}</svg>`
  // CPU time: the machine may be busy with other tests
  const began = process.cpuUsage()
  await pngOf(svg, { width: 800, height: 600 }, 3)
  const { user, system } = process.cpuUsage(began)
  expect((user + system) / 1000).toBeLessThan(10_000)
}, 60_000)
