import { FormError } from '#app/components/form/form-error.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { NewSourceFields, newSourceInputs, type NewSourceFieldsProps } from './new-source-form.tsx'
import { parserOfUrl } from '#app/components/importer/parser-guess.ts'
import { RemoteFields } from '#app/components/importer/remote-fields.tsx'
import { emptySource, sourceInputsIn, type ShownSource } from '#app/components/importer/remote-source.ts'
import type { TrialResult } from '#app/components/importer/trial.ts'
import { TrialSummary } from '#app/components/importer/trial-summary.tsx'
import { DraftForm } from '#app/components/form/draft-form.tsx'

export interface RemoteSourceFormProps extends Omit<
  NewSourceFieldsProps,
  'label' | 'trialResult' | 'isWaiting'
> {
  /** The tried URL that needs more; empty without one. */
  address: string
  /** The submitted values without secrets; undefined before. */
  submittedSources: ShownSource[] | undefined
  /** The trial read; undefined before, and if the request failed. */
  trialResult: TrialResult | undefined
}

/**
 * Creates a source from URLs that need more than a URL. One POST form holds the request options and the
 * fields of the new source: a typed secret stays in its input, and never appears in a URL or a page.
 */
export function RemoteSourceForm({
  address,
  submittedSources,
  trialResult,
  errors,
  ...types
}: RemoteSourceFormProps) {
  const first = { ...emptySource('0'), url: address, parser: parserOfUrl(address) }
  const names = [...sourceInputsIn(errors), ...(trialResult ? newSourceInputs(trialResult) : [])]
  const label = submittedSources?.map(({ url }) => url).join(', ') ?? ''
  return (
    <details className="disclosure" id="request" open={address !== '' || submittedSources !== undefined}>
      <summary>With headers, parameters, a sign-in or pages</summary>
      <DraftForm thing="source/new remote" title="A new source" className="stack" preventScrollReset>
        <FormError errors={errors} names={names} />
        <RemoteFields sources={submittedSources ?? [first]} errors={errors} isOpen />
        <div className="form-actions">
          <SubmitButton
            intent="look"
            className={trialResult?.rows.length ? 'button' : 'button is-primary'}
            doing="Looking…"
            formNoValidate
          >
            Look at it
          </SubmitButton>
        </div>
        {trialResult ? (
          <section className="stack" aria-labelledby="found">
            <h2 id="found">What was found</h2>
            <TrialSummary trialResult={trialResult} of={label} />
            {trialResult.rows.length ? (
              <NewSourceFields
                key={Object.keys(trialResult.guess.schema).join(' ')}
                {...{ label, trialResult, errors, ...types }}
                isWaiting={false}
              />
            ) : null}
          </section>
        ) : null}
      </DraftForm>
    </details>
  )
}
