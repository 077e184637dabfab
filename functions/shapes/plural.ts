/** A sentence per plural form of a language (CLDR names); `{n}` is replaced by the number. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

const rules = new Map<string, Intl.PluralRules>()
const numbers = new Map<string, Intl.NumberFormat>()

/** The sentence for `n` in the language of `tag`, with the formatted number. */
export function plural(forms: Plural, n: number, tag: string): string {
  const rule = remember(rules, tag, () => new Intl.PluralRules(tag))
  const form = forms[rule.select(n)] ?? forms.other
  return form.replace('{n}', () => remember(numbers, tag, () => new Intl.NumberFormat(tag)).format(n))
}

function remember<Made>(from: Map<string, Made>, key: string, make: () => Made): Made {
  const value = from.get(key)
  if (value) return value
  const newValue = make()
  from.set(key, newValue)
  return newValue
}
