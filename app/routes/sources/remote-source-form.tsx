import { FormError } from '#app/components/form/form-error.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { NewSourceFields, newSourceInputs, type NewSourceFieldsProps } from './new-source-form.tsx'
import { parserOfUrl } from '#app/components/importer/parser-guess.ts'
import { RemoteFields } from '#app/components/importer/remote-fields.tsx'
import { emptySource, sourceInputsIn, type ShownSource } from '#app/components/importer/remote-source.ts'
import type { TrialResult } from '#app/components/importer/tried.ts'
import { TriedSummary } from '#app/components/importer/tried-summary.tsx'
import { KeptForm } from '#app/components/form/kept-form.tsx'

export interface RemoteSourceFormProps extends Omit<NewSourceFieldsProps, 'label' | 'tried' | 'isWaiting'> {
  /** The address that was tried and asks for more; '' without one. */
  address: string
  /** What was sent, without its secrets; undefined before. */
  shown: ShownSource[] | undefined
  /** What was found there; undefined before, and where it could not be asked. */
  tried: TrialResult | undefined
}

/**
 * Makes a source of addresses that need more than an address. One form by POST holds how they are asked for and what the
 * rows become: a secret that was typed stays in its input, and never stands in an address or in a page.
 */
export function RemoteSourceForm({ address, shown, tried, errors, ...types }: RemoteSourceFormProps) {
  const first = { ...emptySource('0'), url: address, parser: parserOfUrl(address) }
  const names = [...sourceInputsIn(errors), ...(tried ? newSourceInputs(tried) : [])]
  const label = shown?.map(({ url }) => url).join(', ') ?? ''
  return (
    <details className="disclosure" id="request" open={address !== '' || shown !== undefined}>
      <summary>With headers, parameters, a sign-in or pages</summary>
      <KeptForm thing="source/new remote" title="A new source" className="stack" preventScrollReset>
        <FormError errors={errors} names={names} />
        <RemoteFields sources={shown ?? [first]} errors={errors} isOpen />
        <div className="form-actions">
          <SubmitButton
            intent="look"
            className={tried?.rows.length ? 'button' : 'button is-primary'}
            doing="Looking…"
            formNoValidate
          >
            Look at it
          </SubmitButton>
        </div>
        {tried ? (
          <section className="stack" aria-labelledby="found">
            <h2 id="found">What was found</h2>
            <TriedSummary tried={tried} of={label} />
            {tried.rows.length ? (
              <NewSourceFields
                key={Object.keys(tried.guess.schema).join(' ')}
                {...{ label, tried, errors, ...types }}
                isWaiting={false}
              />
            ) : null}
          </section>
        ) : null}
      </KeptForm>
    </details>
  )
}
