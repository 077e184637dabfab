import { Link } from '@remix-run/react'
import { useCallback, useState } from 'react'
import { useHydrated } from '#app/client/use-hydrated.ts'
import { CheckField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'
import { LeaveDialog } from '#app/components/form/leave-dialog.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { ChangeReport } from './schema/change-report.tsx'
import type { TypeDocument } from '#app/components/schema/draft.ts'
import { SchemaFields } from './schema/schema-fields.tsx'
import type { SchemaChangeReport } from '#functions/shapes/dataTypeSchema.ts'
import { KeptForm } from '#app/components/form/kept-form.tsx'
import { useTyped } from '#app/client/kept/typed.ts'

export interface FieldsFormProps {
  document: TypeDocument
  version: number
  refused: RefusedForm | undefined
  /** The document that was checked or refused. */
  sent: string | null
  /** What the change that was checked would do. */
  report: SchemaChangeReport | undefined
  /** Where one goes without saving. */
  cancelUrl: string
  of: { id: string; name: string }
}

/**
 * The fields of a data type that has records. A change is looked at before it is made: saving is offered beside the report
 * of just this document, and no longer once it is changed again.
 */
export function FieldsForm({ document, version, refused, sent, report, cancelUrl, of }: FieldsFormProps) {
  // A page asks once before it is left, for all of its forms.
  const isUnsaved = useTyped()
  const isHydrated = useHydrated()
  const [edited, setEdited] = useState<{ json: string; isGood: boolean } | null>(null)
  const changed = useCallback((json: string, isGood: boolean) => setEdited({ json, isGood }), [])
  const isChecked = report !== undefined && (!isHydrated || edited === null || edited.json === sent)
  const isGood = edited === null || edited.isGood
  return (
    <section className="stack" aria-labelledby="fields">
      <h2 id="fields">Fields</h2>
      <KeptForm
        thing={`type/${of.id} fields`}
        title={`${of.name}: fields`}
        version={version}
        className="form is-wide"
        preventScrollReset
        asks={false}
      >
        <FormError refused={refused} names={[]} />
        <input type="hidden" name="version" value={version} />
        <SchemaFields
          document={document}
          isNew={false}
          refused={refused}
          given={sent ?? undefined}
          onChange={changed}
        />
        {isChecked ? <ChangeReport report={report} /> : null}
        {isChecked && report.lost > 0 ? (
          <CheckField
            label={`Give up the ${report.lost.toLocaleString('en')} values that are lost`}
            name="otherwise"
            value="null"
            hint="They cannot be brought back."
            required
          />
        ) : null}
        <div className="form-actions">
          {isChecked ? (
            report.idConflicts ? null : (
              <SubmitButton intent="save" doing="Saving…">
                Save the fields
              </SubmitButton>
            )
          ) : (
            <SubmitButton intent="check" doing="Looking…">
              See what this changes
            </SubmitButton>
          )}
          <Link className="button" to={cancelUrl}>
            Cancel
          </Link>
          {isGood ? null : <span className="field-error">Some fields are not right yet.</span>}
        </div>
      </KeptForm>
      <LeaveDialog isUnsaved={isUnsaved || (edited !== null && isChecked)} isKept />
    </section>
  )
}
