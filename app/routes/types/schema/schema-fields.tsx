import { lazy, Suspense } from 'react'
import { useHydrated } from '#app/client/use-hydrated.ts'
import { TextArea } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import type { TypeDocument } from '#app/components/schema/draft.ts'

/** Loaded lazily, as validation rules need a regular expression engine. */
const SchemaEditor = lazy(() => import('./schema-editor.tsx'))

export interface SchemaFieldsProps {
  /** The stored document, or the initial one of a new data type. */
  document: TypeDocument
  /** Whether the data type is new. */
  isNew: boolean
  errors: FormErrors | undefined
  /** The submitted document after an error, for pages without scripts. */
  formValues?: string | undefined
  /** Called after each change with the document to submit, and whether it is valid. */
  onChange?(json: string, canBeSaved: boolean): void
}

/** The fields of a data type in a form, submitted as `document`: an editor, or JSON without scripts. */
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
