import type { Locale } from './locale.ts'
import type { Plural } from './plural.ts'

/** What the edge itself says of a hub in a language, where no page was made to say it. Pages use the same words. */
export interface EdgeWords {
  results: Plural
  none: string
  kinds: { domain: string; indicator: string; story: string; map: string }
  /** The choices on a page of results. `page` has {n} and {of} for the formatted numbers. */
  search: { all: string; byKind: string; byDomain: string; page: string; previous: string; next: string }
  /** The hub was never published. */
  preparing: { title: string; text: string }
  /** A page that shows what was withdrawn, until it is made again without it. */
  updating: { title: string; text: string }
  /** The storage cannot be read, and memory has nothing. */
  unreadable: { title: string; text: string }
}

export const edgeWords: Record<Locale, EdgeWords> = {
  en: {
    results: { other: '{n} search results' },
    none: 'No results!',
    kinds: { domain: 'Domain', indicator: 'Indicator', story: 'Data story', map: 'Map' },
    search: {
      all: 'All',
      byKind: 'Kind of result',
      byDomain: 'Domain of the result',
      page: 'Page {n} of {of}',
      previous: 'Previous',
      next: 'Next',
    },
    preparing: {
      title: 'This hub is being prepared',
      text: 'Its first pages are on their way. Please come back in a few minutes.',
    },
    updating: {
      title: 'This page is being updated',
      text: 'Something it showed is no longer public. Please come back in a few moments.',
    },
    unreadable: {
      title: 'This page cannot be shown right now',
      text: 'The storage that holds it does not answer. Nothing is lost; please try again in a minute.',
    },
  },
  es: {
    results: { one: '{n} resultado de búsqueda', other: '{n} resultados de búsqueda' },
    none: '¡Sin resultados!',
    kinds: { domain: 'Ámbito', indicator: 'Indicador', story: 'Historia de datos', map: 'Mapa' },
    search: {
      all: 'Todo',
      byKind: 'Tipo de resultado',
      byDomain: 'Ámbito del resultado',
      page: 'Página {n} de {of}',
      previous: 'Anterior',
      next: 'Siguiente',
    },
    preparing: {
      title: 'Este portal se está preparando',
      text: 'Sus primeras páginas están en camino. Vuelva dentro de unos minutos.',
    },
    updating: {
      title: 'Esta página se está actualizando',
      text: 'Algo que mostraba ya no es público. Vuelva dentro de unos instantes.',
    },
    unreadable: {
      title: 'Esta página no se puede mostrar en este momento',
      text: 'El almacenamiento que la contiene no responde. No se ha perdido nada; inténtelo de nuevo dentro de un minuto.',
    },
  },
  fr: {
    results: { one: '{n} résultat de recherche', other: '{n} résultats de recherche' },
    none: 'Aucun résultat\u00a0!',
    kinds: { domain: 'Domaine', indicator: 'Indicateur', story: 'Récit de données', map: 'Carte' },
    search: {
      all: 'Tout',
      byKind: 'Type de résultat',
      byDomain: 'Domaine du résultat',
      page: 'Page {n} sur {of}',
      previous: 'Précédent',
      next: 'Suivant',
    },
    preparing: {
      title: 'Ce portail est en cours de préparation',
      text: 'Ses premières pages arrivent. Revenez dans quelques minutes.',
    },
    updating: {
      title: 'Cette page est en cours de mise à jour',
      text: 'Un élément qu’elle montrait n’est plus public. Revenez dans quelques instants.',
    },
    unreadable: {
      title: 'Cette page ne peut pas être affichée pour le moment',
      text: 'Le stockage qui la contient ne répond pas. Rien n’est perdu\u00a0; réessayez dans une minute.',
    },
  },
  ar: {
    results: {
      zero: 'لا نتائج بحث',
      one: 'نتيجة بحث واحدة',
      two: 'نتيجتا بحث',
      few: '{n} نتائج بحث',
      many: '{n} نتيجة بحث',
      other: '{n} نتيجة بحث',
    },
    none: 'لا توجد نتائج!',
    kinds: { domain: 'مجال', indicator: 'مؤشر', story: 'قصة بيانات', map: 'خريطة' },
    search: {
      all: 'الكل',
      byKind: 'نوع النتيجة',
      byDomain: 'مجال النتيجة',
      page: 'الصفحة {n} من {of}',
      previous: 'السابق',
      next: 'التالي',
    },
    preparing: {
      title: 'يجري إعداد هذه البوابة',
      text: 'صفحاتها الأولى في الطريق. يُرجى العودة بعد بضع دقائق.',
    },
    updating: {
      title: 'يجري تحديث هذه الصفحة',
      text: 'شيء مما كانت تعرضه لم يعد متاحًا للعموم. يُرجى العودة بعد لحظات.',
    },
    unreadable: {
      title: 'يتعذّر عرض هذه الصفحة الآن',
      text: 'وحدة التخزين التي تحفظها لا تستجيب. لم يُفقد أي شيء؛ يُرجى المحاولة مجددًا بعد دقيقة.',
    },
  },
}
