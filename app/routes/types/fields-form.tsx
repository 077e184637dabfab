import { formatNumber } from '#app/components/list/number-format.ts'
import { useCallback, useState } from 'react'
import { useHydrated } from '#app/client/use-hydrated.ts'
import { EditForm, useSentForm } from '#app/components/form/edit-form.tsx'
import { CheckField } from '#app/components/form/field.tsx'
import { LeaveDialog } from '#app/components/form/leave-dialog.tsx'
import { ChangeReport } from './schema/change-report.tsx'
import type { TypeDocument } from '#app/components/schema/draft.ts'
import { SchemaFields } from './schema/schema-fields.tsx'
import type { SchemaChangeReport } from '#functions/shapes/data-type-schema.ts'
import { useHasUnsavedInput } from '#app/client/drafts/unsaved-parts.ts'

export interface FieldsFormProps {
  document: TypeDocument
  version: number
  /** The submitted document, checked or rejected. */
  sentText: string | null
  /** The effects of the checked change. */
  report: SchemaChangeReport | undefined
  /** Where cancelling leads. */
  cancelUrl: string
  of: { id: string; name: string }
}

const checkFields = { intent: 'check', label: 'See what this changes', doing: 'Looking…' }
const saveFields = { intent: 'save', label: 'Save the fields', doing: 'Saving…' }

/**
 * The form for the fields of a data type with records. A change is previewed before it is saved: the save
 * button appears beside the report of exactly this document, and disappears after further changes.
 */
export function FieldsForm({ document, version, sentText, report, cancelUrl, of }: FieldsFormProps) {
  const { errors } = useSentForm('check', 'save')
  // Leaving asks once for all forms of the page.
  const isUnsaved = useHasUnsavedInput()
  const isHydrated = useHydrated()
  const [edited, setEdited] = useState<{ json: string; isGood: boolean } | null>(null)
  const handleChange = useCallback((json: string, isGood: boolean) => setEdited({ json, isGood }), [])
  const isChecked = report !== undefined && (!isHydrated || edited === null || edited.json === sentText)
  const isGood = edited === null || edited.isGood
  return (
    <section className="stack" aria-labelledby="fields">
      <h2 id="fields">Fields</h2>
      <EditForm
        thing={`type/${of.id} fields`}
        title={`${of.name}: fields`}
        version={version}
        className="form is-wide"
        preventScrollReset
        asks={false}
        names={[]}
        save={isChecked ? (report.idConflicts ? null : saveFields) : checkFields}
        intents={['check', 'save']}
        cancel={{ to: cancelUrl }}
        note={isGood ? null : <span className="field-error">Some fields are not right yet.</span>}
      >
        <SchemaFields
          document={document}
          isNew={false}
          errors={errors}
          formValues={sentText ?? undefined}
          onChange={handleChange}
        />
        {isChecked ? <ChangeReport report={report} /> : null}
        {isChecked && report.lost > 0 ? (
          <CheckField
            label={`Give up the ${formatNumber(report.lost)} values that are lost`}
            name="otherwise"
            value="null"
            hint="They cannot be brought back."
            required
          />
        ) : null}
      </EditForm>
      <LeaveDialog isUnsaved={isUnsaved || (edited !== null && isChecked)} isKept />
    </section>
  )
}
