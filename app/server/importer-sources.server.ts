import { toReadableFailure } from './failure-words.server.ts'
import { mapIssuesToInputs, parseFormSources } from '#app/components/importer/remote-form.ts'
import { jsonOrText, readTypedSources } from '#app/components/importer/remote-sources.ts'
import { withoutTyped, type ShownSource } from '#app/components/importer/remote-source.ts'
import { Failure } from '#functions/errors.ts'
import type { RefusalWithValues } from './form-values.server.ts'
import type { FormResult } from './load.server.ts'

/** An action result with the sources of the form, so that a page without scripts can show them again. */
export type SourcesOutcome<Went extends { ok: true } = FormResult> = (Went | RefusalWithValues) & {
  submittedSources?: ShownSource[]
}

/**
 * Calls `save` with the sources of a form: from its inputs, or from the JSON in `sources`. Issues are mapped to those inputs, and
 * `save` is not called if the inputs are invalid. Secrets are never returned.
 */
export async function withSources<Went extends { ok: true }>(
  form: FormData,
  save: (sources: unknown) => Promise<Went | RefusalWithValues>,
): Promise<SourcesOutcome<Went>> {
  if (!form.has('source')) return save(jsonOrText(String(form.get('sources') ?? '')))
  const sources = readTypedSources(parseFormSources(form))
  const { message, status } = toReadableFailure(new Failure('invalid'))
  const outcome: Went | RefusalWithValues = sources.issues.length
    ? { ok: false, message, status, issues: [], formValues: {} }
    : await save(sources.sources)
  const shownSources = sources.submittedSources.map(withoutTyped)
  if (outcome.ok) return { ...outcome, submittedSources: shownSources }
  const formValues = Object.fromEntries(
    Object.entries(outcome.formValues).filter(([name]) => !name.startsWith('sources.')),
  )
  const issues = [...sources.issues, ...mapIssuesToInputs(form, sources, outcome.issues)]
  return { ...outcome, formValues, issues, submittedSources: shownSources }
}
