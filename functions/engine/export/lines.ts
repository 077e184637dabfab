import type { FileRow, FileSource, LineKind, Shapes } from './file.ts'

/** The format of lines. `isPlain` false: it differs from what a source can format. */
interface LineStyle {
  kind: LineKind
  separator: string
  isPlain: boolean
  timeZone: string
}

/** Pages of a file's lines with `separator` between them: formatted by the source, otherwise each by `text`. */
export async function* lineTexts(
  source: FileSource,
  { kind, separator, isPlain, timeZone }: LineStyle,
  shapes: Shapes,
  text: (row: FileRow) => string,
): AsyncIterable<string> {
  const plainLines = isPlain ? source.lines(kind, separator, timeZone) : null
  if (plainLines) {
    yield* plainLines
    return
  }
  for await (const rows of source.pages(shapes)) if (rows.length > 0) yield rows.map(text).join(separator)
}
