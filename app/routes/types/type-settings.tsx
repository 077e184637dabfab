import { TextArea, TextField } from '#app/components/form/field.tsx'

/** The names of the inputs. */
export const typeNames = ['name', 'category', 'notes'] as const

/** The inputs for name, category and notes of a data type. `categories`: suggestions, those in use. */
export function TypeSettings({ categories }: { categories: readonly string[] }) {
  return (
    <>
      <div className="field-row">
        <TextField
          label="Name"
          name="name"
          hint="One record of it, such as “Street tree”."
          required
          maxLength={200}
        />
        <TextField
          label="Category"
          name="category"
          hint="What it is listed under."
          list="categories"
          maxLength={100}
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
      />
    </>
  )
}
