import { useMemo } from 'react'
import { useHydrated } from '#app/client/use-hydrated.ts'
import { FilterEditor } from '../builder/filter-editor.tsx'
import { parseFilter, printFilter, type FilterNode } from '../builder/filter-model.ts'
import { isObject } from '../builder/json.ts'
import { LanguageContext, messagesAt, type Language } from '../builder/language.ts'
import { suggester } from '../builder/suggest.ts'
import { TextArea } from '../form/field.tsx'
import type { FormErrors } from '../form/issues.ts'
import { DraftField } from '../form/draft-field.tsx'

export type FilterLanguage = Pick<Language, 'fields' | 'functions' | 'operators'>

interface FilterFieldProps {
  label: string
  /** Filters in the format of the API; null or undefined: none. */
  filters: unknown
  onChange(filters: unknown): void
  errors: FormErrors | undefined
  /** The submitted value after an error, for pages without scripts. */
  formValues?: string | undefined
}

/**
 * The editor of record filters in a form, submitted as JSON under `filters`; '' if there are none. Without scripts a JSON input.
 * Fields come from the surrounding `FilteredData`.
 */
export function FilterField({ label, filters, onChange, errors, formValues }: FilterFieldProps) {
  const isHydrated = useHydrated()
  const json = hasConditions(filters) ? JSON.stringify(filters) : ''
  if (!isHydrated)
    return (
      <TextArea
        label={label}
        name="filters"
        hint='As JSON, such as {"data.type": "Noise"}. Empty: all records.'
        className="code"
        rows={3}
        spellCheck={false}
        defaultValue={formValues ?? json}
        errors={errors}
      />
    )
  const node: FilterNode | null = hasConditions(filters) ? parseFilter(filters) : null
  return (
    <div className="field" role="group" aria-label={label}>
      <span className="field-label">{label}</span>
      <DraftField
        name="filters"
        value={json}
        onRestore={(text) => onChange(text ? (JSON.parse(text) as unknown) : null)}
      />
      <FilterEditor
        filters={node}
        messages={messagesAt(errors?.issues ?? [], 'filters')}
        onChange={(next) => onChange(next ? printFilter(next) : null)}
      />
    </div>
  )
}

const hasConditions = (filters: unknown) =>
  Array.isArray(filters) ? filters.length > 0 : isObject(filters) && Object.keys(filters).length > 0

interface FilteredDataProps {
  language: FilterLanguage
  placeId: string
  dataTypeId: string
  sourceId: string | null
  errors: FormErrors | undefined
  children: React.ReactNode
}

/** Provides the fields and value suggestions of the queried data to the clauses below. */
export function FilteredData({
  language,
  placeId,
  dataTypeId,
  sourceId,
  errors,
  children,
}: FilteredDataProps) {
  const suggest = useMemo(() => suggester({ placeId, dataTypeId, sourceId }), [placeId, dataTypeId, sourceId])
  const languageWithIssues = useMemo(
    () => ({ ...language, issues: errors?.issues ?? [], suggest }),
    [language, errors, suggest],
  )
  return <LanguageContext.Provider value={languageWithIssues}>{children}</LanguageContext.Provider>
}
