import { placedIssues, shownIn } from '#app/components/importer/remote-form.ts'
import { jsonOrText, saidBy } from '#app/components/importer/remote-said.ts'
import { withoutTyped, type ShownSource } from '#app/components/importer/remote-source.ts'
import { Failure } from '#functions/errors.ts'
import type { KeptRefusal } from './keeping.server.ts'
import type { Done } from './load.server.ts'

/** What an action gave, with the sources as the form held them, for a page that is made anew without scripts. */
export type SaidOutcome<Went extends { ok: true } = Done> = (Went | KeptRefusal) & { shown?: ShownSource[] }

/**
 * Does something with the sources of a form: those its inputs say, or the JSON in `sources`. What is refused of them comes
 * back at those inputs, and nothing is done where they cannot stand for a source. A secret that was typed never comes back.
 */
export async function withSources<Went extends { ok: true }>(
  form: FormData,
  done: (sources: unknown) => Promise<Went | KeptRefusal>,
): Promise<SaidOutcome<Went>> {
  if (!form.has('source')) return done(jsonOrText(String(form.get('sources') ?? '')))
  const said = saidBy(shownIn(form))
  const { message, status } = new Failure('invalid')
  const outcome: Went | KeptRefusal = said.issues.length
    ? { ok: false, message, status, issues: [], given: {} }
    : await done(said.sources)
  const shown = said.shown.map(withoutTyped)
  if (outcome.ok) return { ...outcome, shown }
  const given = Object.fromEntries(
    Object.entries(outcome.given).filter(([name]) => !name.startsWith('sources.')),
  )
  const issues = [...said.issues, ...placedIssues(form, said, outcome.issues)]
  return { ...outcome, given, issues, shown }
}
