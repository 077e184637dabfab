import { lazy, Suspense } from 'react'
import { useHydrated } from '#app/client/use-hydrated.ts'
import { TextArea } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import type { TypeDocument } from '#app/components/schema/draft.ts'

/** Rules bring an engine for patterns along: the editor comes when it is shown. */
const SchemaEditor = lazy(() => import('./schema-editor.tsx'))

export interface SchemaFieldsProps {
  /** What is stored, or what a new data type begins with. */
  document: TypeDocument
  /** Whether none of the fields is stored yet. */
  isNew: boolean
  errors: FormErrors | undefined
  /** What was sent when it was refused, for pages without scripts. */
  formValues?: string | undefined
  /** Told of each change, with what the form would send, and whether it could be saved. */
  onChange?(json: string, canBeSaved: boolean): void
}

/** The fields of a data type in a form, sent as `document`: an editor, or its JSON where no scripts run. */
export function SchemaFields({ document, isNew, errors, formValues, onChange }: SchemaFieldsProps) {
  const isHydrated = useHydrated()
  if (!isHydrated)
    return (
      <TextArea
        label="Fields as JSON"
        name="document"
        hint="`schema` holds the fields by key; `temporal.primary` names the main date; `mappingLabelSchema` what maps call a field."
        className="code"
        rows={18}
        spellCheck={false}
        defaultValue={formValues ?? JSON.stringify(document, null, 2)}
        errors={errors}
      />
    )
  return (
    <Suspense fallback={<div className="skeleton is-block schema-loading" />}>
      <SchemaEditor {...{ document, isNew, errors }} {...(onChange ? { onChange } : {})} />
    </Suspense>
  )
}
