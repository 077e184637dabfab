import type { GuideWords } from '../guide.ts'

export const guide: GuideWords = {
  title: 'استخدام «{name}»',
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
  refused: 'الإجابة {status}، خلال {ms} ملّي ثانية',
  unreachable: 'لم ترد أي إجابة. تحقق من اتصالك ثم حاول مجددًا.',
  tools: 'في أداة',
  excel: {
    steps: [
      'افتح «Data» ثم «Get Data» ثم «From Other Sources» ثم «Blank Query» ثم «Advanced Editor».',
      'استبدل ما تجده بهذه الأسطر واختر «Done».',
      'إذا سأل Excel عن طريقة الاتصال فاختر «Anonymous»، ثم «Close & Load».',
    ],
    refresh: 'يجلب «Refresh All» السجلات من جديد.',
  },
  sheets: {
    steps: ['افتح ورقة فارغة.', 'الصق هذه الصيغة في الخلية A1.'],
    refresh:
      'تجلب الورقة المفتوحة الملف من جديد كل ساعة تقريبًا. يتسع جدول البيانات لعشرة ملايين خلية على الأكثر.',
  },
  powerbi: {
    steps: [
      'في Power BI Desktop اختر «Get data» ثم «Blank query» ثم «Advanced editor».',
      'استبدل ما تجده بهذه الأسطر واختر «Done».',
      'عند السؤال عن طريقة الاتصال اختر «Anonymous».',
    ],
    refresh: 'يعمل التحديث المجدول في خدمة Power BI من دون بوابة اتصال.',
  },
  tableau: {
    steps: [
      'نزّل الملف من هذا العنوان.',
      'اختر «Connect» ثم «To a File»: «Spatial file» لملفات GeoJSON، و«Text file» لملفات CSV.',
    ],
    refresh: 'نزّل الملف مجددًا مكان الملف القديم، ثم حدّث المستخرَج.',
  },
  arcgis: {
    steps: [
      'في Map Viewer افتح «Layers» ثم «Add» ثم «Add layer from URL».',
      'الصق هذا العنوان واختر النوع «GeoJSON».',
    ],
    refresh: 'فعّل «Refresh interval» في خصائص الطبقة.',
  },
  arcgisTable: {
    steps: ['في ArcGIS Online افتح «Content» ثم «New item» ثم «URL».', 'الصق هذا العنوان واختر النوع «CSV».'],
    refresh: 'تُجلب الطبقة التي تُضاف بعنوانها من جديد عند فتح الخريطة.',
  },
  qgis: {
    steps: [
      'افتح «Layer» ثم «Add Layer» ثم «Add Vector Layer…» واختر «Protocol: HTTP(S), cloud, etc.».',
      'الصق هذا العنوان في «URI» واختر «Add».',
    ],
    refresh: 'يُقرأ الملف من جديد كلما فُتح المشروع.',
  },
  qgisTable: {
    steps: [
      'افتح «Layer» ثم «Add Layer» ثم «Add Vector Layer…» واختر «Protocol: HTTP(S), cloud, etc.».',
      'الصق هذا العنوان في «URI» واختر «Add». تظهر السجلات جدولًا بلا خريطة.',
    ],
    refresh: 'يُقرأ الملف من جديد كلما فُتح المشروع.',
  },
  formats: 'كل الصيغ',
  formatsText: 'تحتوي كل صيغة على جميع السجلات.',
  reference: 'كل ما يمكن طلبه من واجهة البرمجة',
}
