import { figureTitle } from '#functions/engine/table/page.ts'
import type { Locale } from '#functions/engine/address/locales.ts'
import type { AuthSecrets } from '#functions/platform/auth-secrets.ts'
import { reportContent, type ReportAddress } from './report-page.ts'
import type { TableContent } from './serve-table.ts'
import { newReport, receiveReport, type StoreReport } from './receive-report.ts'

/** Services for reader reports. */
export interface ReportServices {
  secrets: AuthSecrets
  storeReport: StoreReport
}

/** The subject of the form's page, and sources for the title of a figure. */
interface ReportPlace {
  name: string
  placeId: string
  locale: Locale
  /** Localized paths of the source's page and of the privacy policy. */
  sourcePath: string
  privacyPath: string
  /** The stored page of the source. */
  sourcePage: string
  /** The stored page of a story that shows a figure; '' where none does. */
  readStory: (figure: string) => Promise<string>
}

/**
 * The page of the form: empty, or with the outcome of a submission. The title of a figure is taken from a public page, of the source
 * or of a story, as the URL is untrusted.
 */
export async function reportPage(
  request: Request,
  address: ReportAddress,
  { secrets, storeReport }: ReportServices,
  { placeId, sourcePage, readStory, ...place }: ReportPlace,
): Promise<TableContent> {
  const source = { placeId, sourceId: address.sourceId, locale: place.locale }
  const now = Date.now()
  const state =
    request.method === 'POST'
      ? await receiveReport(request, source, secrets, { storeReport, now })
      : await newReport(new URL(request.url), source, secrets, now)
  const id = state.kind === 'form' ? state.values.insightId : null
  const figure = id === null ? null : (figureTitle(sourcePage, id) ?? figureTitle(await readStory(id), id))
  return reportContent(address, { ...place, figure }, state)
}
