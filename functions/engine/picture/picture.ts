import { fitVisualization } from '#functions/engine/chart/fit.ts'
import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { getProjectionType } from '#functions/engine/chart/map-spec.ts'
import { describeOtherBars } from '#functions/engine/chart/merge-bars.ts'
import { getPhrases } from '#functions/engine/chart/phrases.ts'
import { toReadableAnswer } from '#functions/engine/chart/readable.ts'
import { chartSentence } from '#functions/engine/chart/sentence.ts'
import { chartSpec } from '#functions/engine/chart/spec.ts'
import { chartSvg } from '#functions/engine/chart/svg.ts'
import { chartTypes } from '#functions/engine/chart/type/index.ts'
import { groundIn } from './find-ground.ts'
import {
  findBlankReason,
  drawMap,
  mapKeys,
  mapView,
  nothingLeft,
  describeMapGaps,
  type LeftOut,
} from './map.ts'
import { hasUndrawable } from '#functions/engine/chart/picture-fonts.ts'
import { mapAnswer } from './cluster-by-region.ts'
import { paintSvg, type PictureTheme } from './paint.ts'
import { roomFor, sheetSvg, type Sheet, type Sign } from './sheet.ts'
import type { PictureSubject } from './subject.ts'

/** The format of a picture: sizes in units of the drawing, `height` null for as high as necessary. */
export interface PictureOptions {
  width: number
  height: number | null
  theme: PictureTheme
  /** The archive of the ground that the operator names. */
  basemap?: string | undefined
  /** Without title, source, background and margins, for pages that have them. */
  isBare?: boolean
  /** It becomes a file of pixels, whose fonts have few scripts: a line says so where texts lack letters. */
  isForPixels?: boolean
}

export interface Picture {
  svg: string
  width: number
  height: number
}

/** The ratio of a map's height to its width. */
const shapes = { albersUsa: 0.62, equalEarth: 0.5, mercator: 0.7 }

/**
 * An answer as a self-explanatory picture: title, sentence, chart or map, legend, sources. For a part of an answer its
 * description replaces the sentence.
 */
export async function renderPicture(
  tiles: R2Bucket,
  { credit, notes = '', part, ...subject }: PictureSubject,
  { width, height, theme, basemap, isBare = false, isForPixels = false }: PictureOptions,
): Promise<Picture> {
  const { visualization, why } = fitVisualization(subject.visualization, subject.output)
  const input: ChartInput = toReadableAnswer(
    await mapAnswer(tiles, { ...subject, visualization }, subject.locale),
  )
  const sentence = part ?? (chartSentence(input) || notes)
  const beyond = describeOtherBars(input)
  // A number and a text are their sentence
  const { kind } = chartTypes[visualization.type]
  const isSaid = part === undefined && (kind === 'number' || kind === 'sentence')
  const isSentenceBeside = isBare && part === undefined
  const about = {
    title: subject.title,
    description: [sentence || subject.title, beyond].filter(Boolean).join(' '),
    credit,
    ...(isBare && { isBare }),
    lines: [
      ...(sentence === '' || isSentenceBeside || (isSaid && sentence !== getPhrases(input.locale).nothing)
        ? []
        : [sentence]),
      ...(beyond === '' ? [] : [beyond]),
      ...(why === null ? [] : [why]),
    ],
  }
  const draw = async (texts: SheetTexts) => {
    const drawing =
      kind === 'map'
        ? await mapSheet(tiles, input, texts, { width, height, basemap })
        : await chartSheet(input, texts, { width, height })
    return sheetSvg({ ...texts, ...drawing }, { width, height })
  }
  const first = await draw(about)
  const isLacking = isForPixels && hasUndrawable(first.svg)
  const { undrawable } = getPhrases(input.locale)
  const sheet = isLacking ? await draw({ ...about, lines: [...about.lines, undrawable] }) : first
  return { ...sheet, svg: paintSvg(sheet.svg, theme) }
}

type SheetTexts = Omit<Sheet, 'drawing' | 'legend' | 'legendTitle'>
type Size = Pick<PictureOptions, 'width' | 'height' | 'basemap'>

async function chartSheet(
  input: ChartInput,
  about: SheetTexts,
  size: Size,
): Promise<Pick<Sheet, 'drawing' | 'legend'>> {
  const room = roomFor({ ...about, legend: [] }, size)
  const spec = chartSpec({
    ...input,
    width: room.width,
    ...(room.height === null ? {} : { height: room.height }),
  })
  const names = { id: 'chart', title: about.title, description: about.description }
  return { drawing: spec && (await chartSvg(spec, names)), legend: [] }
}

async function mapSheet(
  tiles: R2Bucket,
  input: ChartInput,
  about: SheetTexts,
  size: Size,
): Promise<Pick<Sheet, 'drawing' | 'legend' | 'legendTitle' | 'lines'>> {
  const keys = await mapKeys(tiles, input)
  const { nothing, noData } = getPhrases(input.locale)
  const noValue = input.noValue ?? noData
  const lines = (leftOut: LeftOut) => {
    const missing = describeMapGaps(keys, leftOut, input)
    // A blank map does not mean that the answer has no values.
    return missing === '' ? about.lines : [...about.lines.filter((line) => line !== nothing), missing]
  }
  if (input.rows.length > 0 && findBlankReason(keys) !== null)
    return { drawing: null, legend: [], lines: lines(nothingLeft) }
  const draw = async (room: { width: number; height: number }) => {
    const ground = await groundIn(tiles, mapView(keys, room), size.basemap)
    return drawMap(keys, input, { id: 'map', ...about }, { ...room, isFixed: true }, ground)
  }
  const free = roomFor({ ...about, legend: [] }, size).width
  const natural = { width: free, height: Math.round(free * shapes[getProjectionType(keys.setId)]) }
  const first = await draw(natural)
  const legend: Sign[] = [
    ...first.legend.classes.map(({ label, fill, radius }) => ({
      label,
      fill,
      ...(radius === undefined ? {} : { radius }),
    })),
    ...(first.legend.missing > 0
      ? [{ label: noValue, fill: 'var(--map-land)', isHatched: true as const }]
      : []),
  ]
  const { unit: legendTitle } = first.legend
  const headed = { legend, ...(legendTitle !== undefined && { legendTitle }) }
  const layout = { ...about, lines: lines(first), ...headed }
  const { height } = roomFor(layout, size)
  return {
    lines: layout.lines,
    drawing: height === null ? first.svg : (await draw({ width: free, height: Math.round(height) })).svg,
    ...headed,
  }
}
