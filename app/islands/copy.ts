import type { Report } from './search.ts'

/** Shows the button that copies the text beside it; it says for two seconds that it has. The text is marked when it is touched. */
export function wireCopy(box: HTMLElement, report: Report) {
  const field = box.querySelector('input')
  const button = box.querySelector('button')
  if (!field || !button) return
  field.addEventListener('focus', () => field.select())
  // Only there on safe addresses.
  if (!('clipboard' in navigator)) return
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(field.value).then(() => {
      button.textContent = button.dataset['copied'] ?? label
      setTimeout(() => (button.textContent = label), 2000)
    }, report)
  })
}
