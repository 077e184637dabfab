import { failureInWords } from './failure-words.server.ts'
import { placedIssues, shownIn } from '#app/components/importer/remote-form.ts'
import { jsonOrText, readTypedSources } from '#app/components/importer/remote-sources.ts'
import { withoutTyped, type ShownSource } from '#app/components/importer/remote-source.ts'
import { Failure } from '#functions/errors.ts'
import type { KeptRefusal } from './keeping.server.ts'
import type { Done } from './load.server.ts'

/** What an action gave, with the sources as the form held them, for a page that is made anew without scripts. */
export type SourcesOutcome<Went extends { ok: true } = Done> = (Went | KeptRefusal) & {
  shown?: ShownSource[]
}

/**
 * Does something with the sources of a form: those its inputs say, or the JSON in `sources`. What is refused of them comes
 * back at those inputs, and nothing is done where they cannot stand for a source. A secret that was typed never comes back.
 */
export async function withSources<Went extends { ok: true }>(
  form: FormData,
  save: (sources: unknown) => Promise<Went | KeptRefusal>,
): Promise<SourcesOutcome<Went>> {
  if (!form.has('source')) return save(jsonOrText(String(form.get('sources') ?? '')))
  const sources = readTypedSources(shownIn(form))
  const { message, status } = failureInWords(new Failure('invalid'))
  const outcome: Went | KeptRefusal = sources.issues.length
    ? { ok: false, message, status, issues: [], formValues: {} }
    : await save(sources.sources)
  const shownSources = sources.shown.map(withoutTyped)
  if (outcome.ok) return { ...outcome, shown: shownSources }
  const formValues = Object.fromEntries(
    Object.entries(outcome.formValues).filter(([name]) => !name.startsWith('sources.')),
  )
  const issues = [...sources.issues, ...placedIssues(form, sources, outcome.issues)]
  return { ...outcome, formValues, issues, shown: shownSources }
}
