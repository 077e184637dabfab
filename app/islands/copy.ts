import type { Report } from './search.ts'

/** Shows the button that copies the text of a field or example, with a confirmation for two seconds. Focusing a field selects its text. */
export function wireCopy(box: HTMLElement, report: Report) {
  const field = box.querySelector('input')
  const button = box.querySelector('button')
  const example = box.querySelector('code')
  if (!(field ?? example) || !button) return
  field?.addEventListener('focus', () => field.select())
  // Available only in secure contexts.
  if (!('clipboard' in navigator)) return
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(field?.value ?? example?.textContent ?? '').then(() => {
      button.textContent = button.dataset['copied'] ?? label
      setTimeout(() => (button.textContent = label), 2000)
    }, report)
  })
}
