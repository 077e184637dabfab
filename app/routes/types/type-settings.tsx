import { TextArea, TextField } from '#app/components/form/field.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'

export interface TypeSettingsProps {
  value: { name: string; category: string; notes: string }
  /** Categories that are in use. */
  categories: readonly string[]
  refused: RefusedForm | undefined
}

/** What a data type is called, where it belongs, and what its records are. */
export function TypeSettings({ value, categories, refused }: TypeSettingsProps) {
  return (
    <>
      <div className="field-row">
        <TextField
          label="Name"
          name="name"
          hint="One record of it, such as “Street tree”."
          required
          maxLength={200}
          defaultValue={value.name}
          refused={refused}
        />
        <TextField
          label="Category"
          name="category"
          hint="What it is listed under."
          list="categories"
          maxLength={100}
          defaultValue={value.category}
          refused={refused}
        />
      </div>
      <datalist id="categories">
        {categories.map((category) => (
          <option key={category} value={category} />
        ))}
      </datalist>
      <TextArea
        label="Notes"
        name="notes"
        hint="What a record stands for, and who makes such records."
        maxLength={10_000}
        rows={3}
        defaultValue={value.notes}
        refused={refused}
      />
    </>
  )
}
