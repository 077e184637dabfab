import { expect, test } from 'vitest'
import latin from './fonts/public-sans-latin-400.woff?module'
import { trueTypeFonts, withParts } from './fonts.ts'
import {
  canDraw,
  drawable,
  drawableOrNone,
  findFontFamily,
  hasUndrawable,
  partFamilies,
} from '#functions/engine/chart/picture-fonts.ts'
import { renderPng } from './png.ts'
import { trueType } from './woff.ts'

/** A line of text on white. */
const drawing = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><rect width="100%" height="100%" fill="#fff"/><text x="4" y="28" font-size="20" font-family="'Public Sans',sans-serif">${text}</text></svg>`
const size = { width: 300, height: 40 }
const getPngWidth = (png: Uint8Array) => new DataView(png.buffer, png.byteOffset).getUint32(16)

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
  expect(withParts('Nẵng &amp; я')).toBe('N<tspan font-family="Public Sans Vietnamese">ẵ</tspan>ng &amp; …')
})

/** The characters of a TrueType font, from its table of them (OpenType, `cmap`, format 4). */
function listFontCharacters(font: Uint8Array): Set<number> {
  const view = new DataView(font.buffer, font.byteOffset)
  const tables = Array.from({ length: view.getUint16(4) }, (_, i) => 12 + 16 * i)
  const entry = tables.find((at) => view.getUint32(at) === 0x636d6170) ?? 0
  const start = view.getUint32(entry + 8)
  const subtables = Array.from({ length: view.getUint16(start + 2) }, (_, i) => {
    return start + view.getUint32(start + 8 + 8 * i)
  })
  const at = subtables.find((each) => view.getUint16(each) === 4) ?? 0
  const segments = view.getUint16(at + 6)
  const characters = new Set<number>()
  for (let segment = 0; segment < segments; segment += 2) {
    const [end, first] = [view.getUint16(at + 14 + segment), view.getUint16(at + 16 + segments + segment)]
    const delta = view.getUint16(at + 16 + 2 * segments + segment)
    const offsetAt = at + 16 + 3 * segments + segment
    const offset = view.getUint16(offsetAt)
    for (let char = first; char <= end && char < 0xffff; char++) {
      const glyph = offset === 0 ? char + delta : view.getUint16(offsetAt + offset + 2 * (char - first))
      if (glyph % 0x10000 !== 0) characters.add(char)
    }
  }
  return characters
}

test('the characters of each part are those that its fonts have', async () => {
  const fonts = (await trueTypeFonts()).map(listFontCharacters)
  // Spaces, line breaks and marks without a glyph, which every font leaves out or makes itself.
  const unseen = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\u200b\u2066-\u206f]/u
  for (let code = 0x20; code < 0x10000; code++) {
    const char = String.fromCharCode(code)
    if (unseen.test(char) || /\p{C}/u.test(char)) continue
    const partIndex = partFamilies.findIndex(({ family }) => family === findFontFamily(char))
    const name = code.toString(16)
    if (partIndex === -1)
      expect(
        fonts.slice(0, 6).some((font) => font.has(code)),
        name,
      ).toBe(false)
    else
      for (const font of fonts.slice(2 * partIndex, 2 * partIndex + 2))
        expect(font.has(code), name).toBe(true)
  }
})

test('letters that no font has are "…", other signs are left out, and a text of them alone is none', () => {
  expect(drawable('Calls in กรุงเทพ มหานคร 2024')).toBe('Calls in … 2024')
  expect(drawable('🚲 Bikes')).toBe(' Bikes')
  expect([canDraw('🚲 Bikes'), canDraw('दिल्ली'), canDraw('Que\u0301bec'), canDraw('Зима')]).toEqual([
    true,
    false,
    true,
    false,
  ])
  // Persian and Urdu have letters that our Arabic font lacks.
  expect([canDraw('القاهرة'), canDraw('گرگان')]).toEqual([true, false])
  expect([drawableOrNone('กรุงเทพ'), drawableOrNone('กรุงเทพ 1'), drawableOrNone('12')]).toEqual([
    '',
    '… 1',
    '12',
  ])
})

test('a name in letters that no font has is drawn in its plain form, or left out with its dot', async () => {
  const [thai, dot] = ['กรุงเทพ', '<circle cx="50" cy="20" r="4"/>']
  const draw = (inside: string) => renderPng(drawing(`</text>${inside}<text>`), size, 1)
  const text = (content: string, attributes = '') =>
    `<text x="4" y="28" font-size="20"${attributes}>${content}</text>`
  expect(await draw(text(thai, ' data-plain="Bangkok"'))).toEqual(await draw(text('Bangkok')))
  expect(await draw(text(`<tspan>${thai}</tspan>`, ' data-plain="Bangkok"'))).toEqual(
    await draw(text('Bangkok')),
  )
  expect(await draw(dot + text(thai, ' data-plain=""'))).toEqual(await draw(''))
  expect(await draw(dot + text('Bangkok'))).not.toEqual(await draw(text('Bangkok')))
  expect(await draw(text('مصر', ' data-plain="Egypt"'))).toEqual(await draw(text('مصر')))
  expect([text(thai), text(thai, ' data-plain=""'), text('Łódź')].map(hasUndrawable)).toEqual([
    true,
    false,
    false,
  ])
})

test('draws each letter, and "…" for letters that no font has', async () => {
  const [blank, ours, other] = await Promise.all(
    ['', 'ğ', 'ł'].map((text) => renderPng(drawing(text), size, 1)),
  )
  expect(ours).not.toEqual(blank)
  expect(ours).not.toEqual(other)
  expect(await renderPng(drawing('łя'), size, 1)).toEqual(await renderPng(drawing('ł…'), size, 1))
})

test('Arabic has its own letters, joined, also among digits and letters of other scripts', async () => {
  const draw = (text: string) => renderPng(drawing(text), size, 1)
  const [blank, mixed] = await Promise.all([draw(''), draw('كان المطر 1,024.5 mm في 2015، أقل 8% من 2014.')])
  expect(mixed).not.toEqual(blank)
  // Each letter and each ligature, beside Latin text, is drawn.
  const letters = [...'ابتثجحخدذرزسشصضطظعغفقكلمنهويىةأإآؤئء،؛؟']
  const words = [...letters.map((char) => `س${char}س`), 'لا', 'الأمطار', 'سلام', 'لإلى', 'الآن', 'الله', 'مُدَّة']
  for (const word of words) expect(await draw(`${word} mm`), word).not.toEqual(await draw(' mm'))
  // Joined letters differ from separate ones
  expect(await draw('سلم')).not.toEqual(await draw('س\u200cل\u200cم'))
})

test('a picture has the pixels of its scale, up to the maximum', async () => {
  expect(getPngWidth(await renderPng(drawing('a'), size, 1))).toBe(300)
  expect(getPngWidth(await renderPng(drawing('a'), size, 3))).toBe(900)
  const wide = drawing('a').replace('width="300"', 'width="1600"')
  expect(getPngWidth(await renderPng(wide, { width: 1600, height: 40 }, 3))).toBe(2400)
})

test('rejects a drawing that would take too long', async () => {
  await expect(renderPng(drawing('a'.repeat(2_000_001)), size, 1)).rejects.toThrow(RangeError)
})

test('draws ten thousand points within the time limit of a Worker', async () => {
  const dots = Array.from(
    { length: 10_000 },
    (_, at) =>
      `<circle cx="${(at * 7919) % 800}" cy="${(at * 104_729) % 600}" r="3" fill="#2f75e2" fill-opacity=".5"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600">${dots.join('')}</svg>`
  // CPU time: the machine may be busy with other tests
  const cpuBefore = process.cpuUsage()
  await renderPng(svg, { width: 800, height: 600 }, 3)
  const { user, system } = process.cpuUsage(cpuBefore)
  expect((user + system) / 1000).toBeLessThan(10_000)
}, 60_000)
