import { answerCsv } from '#functions/engine/export/answer-csv.ts'
import { chartSpec } from '#functions/engine/chart/spec.ts'
import { chartSvg } from '#functions/engine/chart/svg.ts'
import { pageWidth } from '#functions/engine/chart/frame.ts'
import { toReadableAnswer } from '#functions/engine/chart/readable.ts'
import type { SliceResult } from '#functions/engine/chart/slice.ts'
import { paintSvg } from '#functions/engine/picture/paint.ts'
import { sheetSvg } from '#functions/engine/picture/sheet.ts'
import { fileName, saveFile } from './save-file.ts'

interface FigureContent {
  sliced: SliceResult
  title: string
  /** The selected part in words; '' for everything. */
  part: string
  /** The attribution below the picture. */
  credit: string
  /** The SVG URL of the other picture, while it is shown. */
  other: string | undefined
}

/** Pixels per unit of the drawing in a PNG. */
const scale = 2

/** Saves what a figure shows as a file: the rows of the selected part, or its picture with title and part. */
export async function saveFigure(kind: 'csv' | 'svg' | 'png', figure: FigureContent): Promise<void> {
  const name = `${fileName([figure.title, figure.part].filter(Boolean).join(' '))}.${kind}`
  const { input } = figure.sliced
  if (kind === 'csv')
    return saveFile(new Blob([answerCsv(input, input.timeZone)], { type: 'text/csv;charset=utf-8' }), name)
  const picture = await drawPicture(figure)
  if (kind === 'svg') return saveFile(new Blob([picture.svg], { type: 'image/svg+xml' }), name)
  saveFile(await renderPng(picture), name)
}

async function drawPicture({ sliced, title, part, credit, other }: FigureContent) {
  if (other !== undefined) return fetchDrawing(other)
  const spec = chartSpec({ ...toReadableAnswer(sliced.input), width: pageWidth })
  if (!spec) throw new Error('Nothing to draw.')
  const drawing = await chartSvg(spec, { id: 'chart', title, description: part })
  const sheet = sheetSvg(
    { title, description: part || title, lines: part === '' ? [] : [part], drawing, legend: [], credit },
    { width: pageWidth + 56, height: null },
  )
  return { ...sheet, svg: paintSvg(sheet.svg, 'light') }
}

/** A picture drawn by the server. */
async function fetchDrawing(href: string) {
  const response = await fetch(href)
  const svg = await response.text()
  const [, width = '', height = ''] = /^<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg) ?? []
  if (!response.ok || height === '') throw new Error(`${response.status} ${href}`)
  return { svg, width: Number(width), height: Number(height) }
}

async function renderPng({
  svg,
  width,
  height,
}: {
  svg: string
  width: number
  height: number
}): Promise<Blob> {
  const faces = await facesAsStyle()
  const text = svg.replace('>', () => `>${faces}`)
  const href = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }))
  try {
    const image = new Image(width, height)
    image.src = href
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = width * scale
    canvas.height = height * scale
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No PNG.'))), 'image/png'),
    )
  } finally {
    URL.revokeObjectURL(href)
  }
}

/** The loaded text fonts of the page as a style element, since an SVG image loads nothing. */
async function facesAsStyle(): Promise<string> {
  const getFaceKey = (range: string, style: string) =>
    `${style || 'normal'} ${range.replace(/\s/g, '').toLowerCase()}`
  const loadedFonts = new Set(
    [...document.fonts]
      .filter(({ family, status }) => status === 'loaded' && family.includes('Public Sans Variable'))
      .map(({ unicodeRange, style }) => getFaceKey(unicodeRange, style)),
  )
  const rules = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule)
  const faces = await Promise.all(
    rules.map(async ({ style }) => {
      const range = style.getPropertyValue('unicode-range')
      const slant = style.getPropertyValue('font-style') || 'normal'
      const href = /url\("?([^")]+)/.exec(style.getPropertyValue('src'))?.[1]
      const isFace = style.getPropertyValue('font-family').includes('Public Sans Variable')
      // Drawings have no italics, and the last face of a name would apply to all.
      if (!isFace || slant !== 'normal' || !loadedFonts.has(getFaceKey(range, slant)) || !href) return ''
      const data = await dataUrl(await (await fetch(href)).blob())
      return `@font-face{font-family:'Public Sans Variable';font-weight:100 900;unicode-range:${range};src:url(${data})}`
    }),
  )
  return `<style>${faces.join('')}</style>`
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('A face could not be read.'))
    reader.readAsDataURL(blob)
  })
}
