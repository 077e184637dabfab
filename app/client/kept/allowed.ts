import type { Texts } from './drafts.ts'

/** Inputs whose words may be kept on a device. What is not named here is not kept: passwords, files, hidden fields. */
const types: ReadonlySet<string> = new Set([
  ...['text', 'search', 'email', 'tel', 'url', 'number', 'range', 'color', 'checkbox', 'radio'],
  ...['date', 'datetime-local', 'month', 'week', 'time', 'textarea', 'select-one', 'select-multiple'],
])
const secretName = /passw|secret|token|authori[sz]ation|credential|api.?key|signature|otp/i
const secretAutocomplete = /password|one-time-code|^cc-/
/** An address with a user's name and password, or a key among its parameters; a header that signs in. */
const secretValue =
  /\/\/[^/?#\s]*:[^/?#\s]*@|[?&][^=&\s]*(?:key|token|secret|signature|password|auth|sig)[^=&\s]*=|\bBearer\s+\S/i
/** Name and password of a header: base64, which no word is. */
const secretHeader = /^Basic\s+(?=[a-z]*[A-Z0-9])[A-Za-z0-9+/]{8,}={0,2}$/

/** Whether what an input of this name holds is never shown again nor kept. */
export const isSecretName = (name: string): boolean => secretName.test(name)

const isSecret = (value: string) => secretValue.test(value) || secretHeader.test(value)

export interface Input {
  name: string
  type: string
  value: string
  autocomplete?: string
  /** Stands within `data-never-kept`, or `data-kept` says that a hidden field holds words of a person. */
  isNever?: boolean
  isDocument?: boolean
}

/** Whether the words of an input may be kept on this device: a rule of what is allowed, so that a new kind of input is not. */
export function mayKeep({ name, type, value, autocomplete = '', isNever, isDocument }: Input): boolean {
  if (!name || name === 'intent' || name === 'kept' || isNever) return false
  if (!types.has(type) && !(type === 'hidden' && isDocument)) return false
  return !isSecretName(name) && !secretAutocomplete.test(autocomplete) && !isSecret(value)
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The inputs of a form whose words may be kept. */
function inputsOf(form: HTMLFormElement): Field[] {
  const fields = [...form.elements].filter((each) =>
    /^(?:INPUT|TEXTAREA|SELECT)$/.test(each.tagName),
  ) as Field[]
  return fields.filter((each) => mayKeep(inputOf(each)))
}

const inputOf = (element: Field): Input => ({
  name: element.name,
  type: element.type,
  value: element.value,
  autocomplete: element.autocomplete,
  isNever: element.closest('[data-never-kept]') !== null,
  isDocument: element.hasAttribute('data-kept'),
})

/** By what a text is found again: boxes of one name are told apart by their values. */
const nameOf = (element: Field): string =>
  element.type === 'checkbox' ? `${element.name}=${element.value}` : element.name

/** What a form says, of what may be kept. */
export function textsIn(form: HTMLFormElement): Texts {
  const texts: Texts = {}
  for (const element of inputsOf(form)) {
    const isBox = element.type === 'checkbox' || element.type === 'radio'
    const isTicked = isBox && (element as HTMLInputElement).checked
    if (element.type === 'radio' && !isTicked) continue
    texts[nameOf(element)] =
      element.type === 'checkbox'
        ? isTicked
          ? 'on'
          : ''
        : element instanceof HTMLSelectElement && element.multiple
          ? [...element.selectedOptions].map(({ value }) => value).join('\n')
          : element.value
  }
  return texts
}

/** Sent to a hidden field with `data-kept`: its component takes the text over. */
export const restoring = 'kept:restore'

/** Puts texts into the inputs of a form as if they were typed, so that React hears of them. */
export function putTexts(form: HTMLFormElement, texts: Texts): void {
  for (const element of inputsOf(form)) {
    const text = texts[nameOf(element)]
    if (text === undefined) continue
    if (element.type === 'hidden') element.dispatchEvent(new CustomEvent(restoring, { detail: text }))
    else if (element.type === 'checkbox') {
      if ((element as HTMLInputElement).checked !== (text === 'on')) element.click()
    } else if (element.type === 'radio') {
      if (element.value === text && !(element as HTMLInputElement).checked) element.click()
    } else if (element.value !== text) type(element, text)
  }
}

function type(element: Field, text: string) {
  if (element instanceof HTMLSelectElement && element.multiple) {
    const choices = new Set(text.split('\n'))
    for (const option of element.options) option.selected = choices.has(option.value)
  } else {
    // React keeps a setter of its own on the element: only the prototype's makes the change one that it sees.
    const prototype = Object.getPrototypeOf(element) as object
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, text)
  }
  element.dispatchEvent(new Event('input', { bubbles: true }))
  element.dispatchEvent(new Event('change', { bubbles: true }))
}
