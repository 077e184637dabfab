import type { GuideTexts } from '../guide.ts'

export const guide: GuideTexts = {
  title: 'استخدام «\u2068{name}\u2069»',
  intro: 'عناوين وأمثلة لهذه البيانات تحديدًا، ولا حاجة إلى حساب أو مفتاح.',
  menus: 'أسماء القوائم هي أسماؤها في النسخ الإنجليزية من الأدوات.',
  programs: 'في برنامج',
  programsText: 'يجلب كل مثال جميع السجلات، ولا يحتاج إلا إلى اللغة نفسها.',
  curl: 'يحفظ جميع السجلات في ملف CSV.',
  python: 'إذا كانت مكتبة pandas مثبتة، فإن pandas.read_csv تقرأ العنوان نفسه.',
  r: 'يقرأ جميع السجلات في إطار بيانات.',
  console: 'جرّبه هنا',
  consoleText: 'يطلب السجلات كما يطلبها برنامج، ويعرض الإجابة كما ترد.',
  limit: 'الحد الأقصى لعدد السجلات',
  search: 'السجلات التي تحتوي على',
  run: 'إرسال الطلب',
  answer: 'الإجابة {status}: السجلات {rows} من أصل {total}، خلال {ms} ملّي ثانية',
  failedAnswer: 'الإجابة {status}، خلال {ms} ملّي ثانية',
  unreachable: 'لم ترد أي إجابة. تحقق من اتصالك ثم حاول مجددًا.',
  tools: 'في أداة',
  excel: {
    steps: [
      'افتح «\u2068Data\u2069» ثم «\u2068Get Data\u2069» ثم «\u2068From Other Sources\u2069» ثم «\u2068Blank Query\u2069» ثم «\u2068Advanced Editor\u2069».',
      'استبدل ما تجده بهذه الأسطر واختر «\u2068Done\u2069».',
      'إذا سأل Excel عن طريقة الاتصال فاختر «\u2068Anonymous\u2069»، ثم «\u2068Close & Load\u2069».',
    ],
    refresh: 'يجلب «\u2068Refresh All\u2069» السجلات من جديد.',
  },
  sheets: {
    steps: ['افتح ورقة فارغة.', 'الصق هذه الصيغة في الخلية A1.'],
    refresh:
      'تجلب الورقة المفتوحة الملف من جديد كل ساعة تقريبًا. يتسع جدول البيانات لعشرة ملايين خلية على الأكثر.',
  },
  powerbi: {
    steps: [
      'في Power BI Desktop اختر «\u2068Get data\u2069» ثم «\u2068Blank query\u2069» ثم «\u2068Advanced editor\u2069».',
      'استبدل ما تجده بهذه الأسطر واختر «\u2068Done\u2069».',
      'عند السؤال عن طريقة الاتصال اختر «\u2068Anonymous\u2069».',
    ],
    refresh: 'يعمل التحديث المجدول في خدمة Power BI من دون بوابة اتصال.',
  },
  tableau: {
    steps: [
      'نزّل الملف من هذا العنوان.',
      'اختر «\u2068Connect\u2069» ثم «\u2068To a File\u2069»: «\u2068Spatial file\u2069» لملفات GeoJSON، و«\u2068Text file\u2069» لملفات CSV.',
    ],
    refresh: 'نزّل الملف مجددًا مكان الملف القديم، ثم حدّث المستخرَج.',
  },
  arcgis: {
    steps: [
      'في Map Viewer افتح «\u2068Layers\u2069» ثم «\u2068Add\u2069» ثم «\u2068Add layer from URL\u2069».',
      'الصق هذا العنوان واختر النوع «\u2068GeoJSON\u2069».',
    ],
    refresh: 'فعّل «\u2068Refresh interval\u2069» في خصائص الطبقة.',
  },
  arcgisTable: {
    steps: [
      'في ArcGIS Online افتح «\u2068Content\u2069» ثم «\u2068New item\u2069» ثم «\u2068URL\u2069».',
      'الصق هذا العنوان واختر النوع «\u2068CSV\u2069».',
    ],
    refresh: 'تُجلب الطبقة التي تُضاف بعنوانها من جديد عند فتح الخريطة.',
  },
  qgis: {
    steps: [
      'افتح «\u2068Layer\u2069» ثم «\u2068Add Layer\u2069» ثم «\u2068Add Vector Layer…\u2069» واختر «\u2068Protocol: HTTP(S), cloud, etc.\u2069».',
      'الصق هذا العنوان في «\u2068URI\u2069» واختر «\u2068Add\u2069».',
    ],
    refresh: 'يُقرأ الملف من جديد كلما فُتح المشروع.',
  },
  qgisTable: {
    steps: [
      'افتح «\u2068Layer\u2069» ثم «\u2068Add Layer\u2069» ثم «\u2068Add Vector Layer…\u2069» واختر «\u2068Protocol: HTTP(S), cloud, etc.\u2069».',
      'الصق هذا العنوان في «\u2068URI\u2069» واختر «\u2068Add\u2069». تظهر السجلات جدولًا بلا خريطة.',
    ],
    refresh: 'يُقرأ الملف من جديد كلما فُتح المشروع.',
  },
  formats: 'كل الصيغ',
  formatsText: 'تحتوي كل صيغة على جميع السجلات.',
  reference: 'المرجع الكامل لواجهة البرمجة',
}
