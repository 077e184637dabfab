import { endpoint } from '#functions/api/endpoint.ts'
import * as files from '#functions/domain/insight/insight-files.ts'
import {
  DrawingOptions,
  InsightAnswer,
  InsightMetadata,
  Oembed,
  OembedOptions,
  PixelOptions,
} from '#functions/shapes/insight.ts'

const file = { allow: 'insight.read', hidden: true, http: { method: 'get', one: true } } as const

/** An insight as files, at its path with an extension; for programs and for embedding on other sites. */
export const insightFiles = {
  '.svg': endpoint({
    ...file,
    stream: true,
    media: ['image/svg+xml'],
    options: DrawingOptions,
    summary: 'An insight as a drawing',
    run: files.svg,
  }),
  '.png': endpoint({
    ...file,
    stream: true,
    heavy: true,
    media: ['image/png'],
    options: PixelOptions,
    summary: 'An insight as a picture',
    run: files.png,
  }),
  '.csv': endpoint({
    ...file,
    stream: true,
    media: ['text/csv'],
    summary: 'The rows of an insight’s answer as CSV',
    run: files.csv,
  }),
  '.json': endpoint({
    ...file,
    returns: InsightAnswer,
    summary: 'An insight’s answer with what its columns are',
    run: files.json,
  }),
  '.metadata.json': endpoint({
    ...file,
    returns: InsightMetadata,
    summary:
      'What there is to know of an insight but its rows: question, columns, sources, links and drawing',
    run: files.metadata,
  }),
  '.oembed.json': endpoint({
    ...file,
    options: OembedOptions,
    returns: Oembed,
    summary: 'What a site needs to show an insight by its address, as oEmbed has it',
    run: files.oembed,
  }),
}
