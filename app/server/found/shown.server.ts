import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { FigureProps } from '#app/components/hub/figure.tsx'
import type { NumberFigureProps } from '#app/components/hub/number-figure.tsx'
import { hubHome } from '#app/server/hub-home.server.ts'
import { hubSource } from '#app/server/hub-source.server.ts'
import { load } from '#app/server/load.server.ts'
import { placeMap } from '#app/server/place-map.server.ts'
import { day, readingOf } from '#app/server/reading.server.ts'
import { storyPage } from '#app/server/story.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** What a page shows first, for where it is shown without the rest. Texts are plain; '' where there is nothing to say. */
export interface ShownFirst {
  place: string
  title: string
  text: string
  date: string
  figure: FigureProps | null
  /** Where it is one number. */
  value: string
}

/** The page of a source: its chart, else its map, else its latest value. */
export async function shownOfSource(given: LoaderFunctionArgs): Promise<ShownFirst> {
  const args = unattached(given)
  const [page, place] = await Promise.all([hubSource(args), placeName(args)])
  const figure = drawn(page.chart) ?? drawn(page.map)
  return {
    place,
    title: page.title,
    text: page.sentence ?? '',
    date: page.updated?.date ?? '',
    figure,
    value: figure || !page.latest ? '' : [page.latest.value, page.latest.unit].filter(Boolean).join(' '),
  }
}

/** A story: its first figure, else its first number. */
export async function shownOfStory(given: LoaderFunctionArgs): Promise<ShownFirst> {
  const args = unattached(given)
  const [page, place] = await Promise.all([storyPage(args), placeName(args)])
  const figures = page.contents.map((content) => ('figure' in content ? drawn(content.figure) : null))
  const figure = figures.find((each) => each !== null) ?? null
  const number = page.contents.flatMap((content) => (content.kind === 'number' ? content.numbers : []))[0]
  return {
    place,
    title: page.title,
    text: page.summary ?? '',
    date: page.date ?? '',
    figure,
    value: figure ? '' : valueOf(number),
  }
}

/** The hub's first page: the chart it opens with, else its map, else its first number. */
export async function shownOfHome(given: LoaderFunctionArgs): Promise<ShownFirst> {
  const args = unattached(given)
  const [page, card] = await Promise.all([hubHome(args), shownOfPlace(args)])
  const figure = drawn(page.lead) ?? drawn(page.map)
  if (!figure) return card
  return { ...card, place: card.title, title: figure.title, text: figure.sentence ?? '', figure }
}

/** The place's map. */
export async function shownOfMap(given: LoaderFunctionArgs): Promise<ShownFirst> {
  const args = unattached(given)
  const [page, card] = await Promise.all([placeMap(args), shownOfPlace(args)])
  return {
    ...card,
    place: card.title,
    title: page.title,
    text: page.map?.sentence ?? page.sentence ?? '',
    figure: drawn(page.map),
  }
}

/** The place by itself, for pages that show nothing else; of the day it was last described. */
export async function shownOfPlace(args: LoaderFunctionArgs): Promise<ShownFirst> {
  const [reading, { place }] = await Promise.all([readingOf(args), load(args, { place: v1.place.findById })])
  return {
    place: 'Open data',
    title: place.displayName,
    text: place.description,
    date: day(place.updatedAt, reading),
    figure: null,
    value: '',
  }
}

const drawn = (figure: FigureProps | undefined) => (figure && figure.svg !== '' ? figure : null)

const valueOf = (number: NumberFigureProps | undefined) =>
  number ? [number.value, number.unit].filter(Boolean).join(' ') : ''

async function placeName(args: LoaderFunctionArgs): Promise<string> {
  return (await load(args, { place: v1.place.findById })).place.displayName
}

/** The same visit without the files that go with a page's figures: they are kept with the page itself. */
function unattached(args: LoaderFunctionArgs): LoaderFunctionArgs {
  const { context } = args
  return { ...args, context: { ...context, ctx: { ...context.ctx, attach: async (type) => `/f/${type}` } } }
}
