import type { FileRow, FileSource, LineKind, Shapes } from './file.ts'

/** How lines are written. `isPlain` false: they differ from those that a source makes. */
interface LineStyle {
  kind: LineKind
  separator: string
  isPlain: boolean
  timeZone: string
}

/** The lines of a file, a page of them at a time with `separator` between: as the source makes them, else each by `text`. */
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
