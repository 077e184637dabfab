import type { Context } from '#functions/context.ts'
import { csvLine, escapeFormula } from '#functions/engine/export/csv.ts'
import { ArchivedTranslation } from '#functions/shapes/archive.ts'
import type { ImportReport } from '#functions/shapes/translation.ts'
import { parseIn, refusal, type ArchiveFile } from './read.ts'
import type { References, ReferencedNoun } from './references.ts'
import type { CallEndpoint, Refusals } from './writer.ts'

/** Limits of one batch of translations, in rows and characters: half of those of `/v1`. */
const maxRows = 10_000
const maxUnits = 2_000_000

const file = 'translations.ndjson'
const columns = ['noun', 'id', 'path', 'original', 'translation']
/** The outcomes of rows that are not written. */
const refusedAs: readonly string[] = ['unknown', 'forbidden', 'invalid', 'twice']

interface TranslationImport {
  file: ArchiveFile
  call: CallEndpoint
  references: References
  refusals: Refusals
  placeId: string
}

/**
 * Writes translations as a translator's file does, which validates and sanitises each, and detects outdated ones.
 * Returns how many there were. Must come after the translated things and the languages of the place.
 */
export async function importTranslations(ctx: Context, from: TranslationImport): Promise<number> {
  if (!from.file.has(file)) return 0
  const batches = new Map<string, Batch>()
  let count = 0
  for await (const { line, value } of from.file.lines(file)) {
    const row = parseIn([file, line], value, ArchivedTranslation)
    const batch = batches.get(row.language) ?? new Batch(ctx, from, row.language)
    batches.set(row.language, batch)
    await batch.add(line, row)
    count += 1
  }
  for (const batch of batches.values()) await batch.write()
  return count
}

/** Texts of one language that are to be written together. */
class Batch {
  private text = csvLine(columns)
  private readonly lines = new Map<string, number>()

  constructor(
    private readonly ctx: Context,
    private readonly from: TranslationImport,
    private readonly language: string,
  ) {}

  async add(line: number, { noun, nounId, path, original, text }: ArchivedTranslation): Promise<void> {
    const { references, placeId } = this.from
    const id =
      noun === 'place' ? placeId : references.get(noun as ReferencedNoun, nounId, [file, line, 'nounId'])
    const key = `${noun} ${id} ${path}`
    if (this.lines.has(key)) throw refusal([file, line], 'It is of the same text as an earlier line.')
    const cells = [noun, id, path, references.html(original), references.html(text)]
    this.text += csvLine(cells.map(escapeFormula))
    this.lines.set(key, line)
    if (this.lines.size >= maxRows || this.text.length > maxUnits) await this.write()
  }

  async write(): Promise<void> {
    if (this.lines.size === 0) return
    const { call, placeId, refusals } = this.from
    const ask = (token?: string) =>
      call<ImportReport>(
        this.ctx,
        'place.translation.import',
        { placeId },
        {
          ...{ language: this.language, csv: this.text },
          ...(token !== undefined && { token }),
        },
      )
    const { token, rows } = await ask()
    let isRefused = false
    for (const { noun, nounId, path, verdict, notes } of rows)
      if (refusedAs.includes(verdict)) {
        isRefused = true
        const line = this.lines.get(`${noun} ${nounId} ${path}`) ?? 0
        refusals.add([file, line], notes[0] ?? 'It is not taken.')
      }
    if (!isRefused && token !== null) await ask(token)
    this.text = csvLine(columns)
    this.lines.clear()
  }
}
