/** Binding terms of further languages, kept short: prohibitions, obligations, limits and corrections, then wishes and what is to stay. */
import type { BindingTerms } from "./binding-terms.ts";

/** Written with spaces, like `SPACED_TERMS`. */
export const MORE_SPACED_TERMS: Readonly<Record<string, BindingTerms>> = {
  swedish: {
    strong: [
      "(?:måste|aldrig|alltid|förbjud\\p{L}*|under inga omständigheter|får inte|ska inte|skall inte)",
      "(?:rör|ändra|ta bort|radera|använd|lägg|gör|skriv|glöm|byt|pusha|committa)[^.!?]{0,60} (?:inte|inga|inget|ingen)",
      "(?:inte|inga|inget) (?:mer|fler|röra|ändra|ta bort|använda|några|nya)",
      "(?:högst|som mest|minst|senast|utan|från och med nu|se till|undvik|sluta)",
      "(?:det är fel|jag menade|ångra)",
    ],
    weak: [
      "(?:ska|skall|bör|borde|behöver)",
      "(?:bara|endast|helst|hellre|istället|i stället|utom|förutom|så länge|innan du|som (?:den|det|de) är)",
      "(?:jag|vi) (?:vill|föredrar|behöver|skulle vilja)",
      "^(?:behåll|använd|låt|håll)",
    ],
    asking: ["(?:snälla|tack|kan du|skulle du|kunde du)", "^(?:vad|varför|hur|var|när|vilken|vem)"],
  },
  danish: {
    strong: [
      "(?:må (?:ikke|kun|aldrig|aldri)|skal ikke|aldrig|aldri|altid|alltid|forbudt)",
      "(?:rør|ændre?|endre?|slet|slett|fjern|brug|bruk|tilføj|lav|gør|gjør|skriv|glem)[^.!?]{0,60} (?:ikke|ingen|intet)",
      "(?:ikke|ingen) (?:mere|flere|røre|ændre|endre|slette|bruge|bruke|nye)",
      "(?:højst|høyst|mindst|minst|senest|uden|uten|fra nu af|fra nå av|sørg for|undgå|unngå)",
      "(?:det er forkert|det er feil|jeg mente|fortryd|angre)",
    ],
    weak: [
      "(?:skal|bør|burde|må)",
      "(?:kun|hellere|heller|i stedet|undtagen|unntatt|så længe|så lenge|som (?:den|det|de) er)",
      "(?:jeg|vi) (?:vil|ønsker|foretrækker|foretrekker|har brug for)",
      "^(?:behold|brug|bruk|lad)",
    ],
    asking: [
      "(?:venligst|vennligst|kan du|kunne du|vær så snill)",
      "^(?:hvad|hva|hvorfor|hvordan|hvor|hvilken|hvem)",
    ],
  },
  finnish: {
    strong: [
      "(?:älä|älkää|täytyy|pitää|ei saa|eivät saa|ei koskaan|aina|kielletty)",
      "(?:enintään|vähintään|korkeintaan|viimeistään|ilman|tästä lähtien|varmista|vältä|lopeta)",
      "(?:se on väärin|tarkoitin|peru)",
    ],
    weak: [
      "(?:pitäisi|kannattaa|vain|ainoastaan|mieluummin|mieluiten|sijaan|paitsi|ennallaan|ennen kuin)",
      "(?:haluan|haluaisin|tarvitsen|toivon)",
      "^(?:käytä|pidä|jätä|säilytä)",
    ],
    asking: ["(?:kiitos|voisitko|voitko)", "^(?:mitä|miksi|miten|missä|milloin|mikä|kuka)"],
  },
  polish: {
    strong: [
      "nie (?:zmieniaj|ruszaj|dotykaj|usuwaj|używaj|dodawaj|rób|twórz|zapomnij|modyfikuj|wolno|może|mogą|więcej|mniej|wysyłaj|pisz|kasuj|chcę|róbcie)\\p{L}*",
      "(?:musi|musisz|muszą|musimy|należy|trzeba|nigdy|zawsze|zabroni\\p{L}*|koniecznie|pod żadnym pozorem)",
      "(?:co najwyżej|maksymalnie|co najmniej|najpóźniej|bez|od teraz|upewnij się|unikaj|przestań)",
      "(?:to źle|chodziło mi|miałem na myśli|miałam na myśli|cofnij)",
    ],
    weak: [
      "(?:powinien|powinna|powinno|powinny|tylko|wyłącznie|raczej|zamiast|oprócz|chyba że|dopóki|zanim|dokładnie)",
      "(?:chcę|chciałbym|chciałabym|wolę|potrzebuję|wolałbym|wolałabym)",
      "^(?:zachowaj|zostaw|używaj|użyj|trzymaj|pozostaw)\\p{L}*",
    ],
    asking: ["(?:proszę|czy możesz|czy mógłbyś|możesz)", "^(?:co|dlaczego|jak|gdzie|kiedy|który|kto)"],
  },
  czech: {
    strong: [
      "(?:neměň|nemaž|nepoužívej|nesahej|nepřidávej|nedělej|nezapomeň|nesmí|nesmíš|nechci|neměňte|nepoužívejte)\\p{L}*",
      "(?:musí|musíš|musíme|nikdy|vždy|zakázán\\p{L}*|povinn\\p{L}+)",
      "(?:nejvýše|maximálně|nejméně|minimálně|nejpozději|bez|od teď|ujisti se|vyhni se|přestaň)",
      "(?:to je špatně|myslel jsem|vrať)",
    ],
    weak: [
      "(?:měl by|měla by|mělo by|pouze|jenom|jen|raději|místo|kromě|pokud ne|dokud|přesně)",
      "(?:chci|chtěl bych|chtěla bych|potřebuji|preferuji)",
      "^(?:zachovej|nech|ponech|používej|použij|drž)\\p{L}*",
    ],
    asking: ["(?:prosím|můžeš|mohl bys|mohla bys)", "^(?:co|proč|jak|kde|kdy|který|kdo)"],
  },
  ukrainian: {
    strong: [
      "не (?:змінюй|чіпай|видаляй|використовуй|додавай|роби|забудь|забувай|можна|більше|менше|пізніше|треба|потрібно)\\p{L}*",
      "(?:повин\\p{L}+|мусить|обов'язково|ніколи|завжди|заборонено|необхідно|потрібно|треба)",
      "(?:максимум|мінімум|щонайменше|щонайбільше|відтепер|переконайся|уникай|припини|скасуй)",
    ],
    weak: [
      "(?:слід|варто|тільки|лише|краще|замість|крім|окрім|якщо не|перш ніж|точно)",
      "(?:хочу|хотів би|хотіла б|волію|мені потріб\\p{L}+)",
      "^(?:залиш|збережи|використовуй|тримай)\\p{L}*",
    ],
    asking: ["(?:будь ласка|можеш|можете|чи міг)", "^(?:що|чому|як|де|коли|який|хто)"],
  },
  turkish: {
    strong: [
      "(?:dokunma|değiştirme|silme|kullanma|ekleme|yapma|unutma|bozma|yazma|oluşturma|gönderme|kaldırma|taşıma)(?:yın|yin|yınız|yiniz)?(?=[.!,]|$)",
      "(?:asla|her zaman|daima|mutlaka|zorunlu|yasak|gerekiyor|lazım|kesinlikle|sakın)",
      "(?:en fazla|en çok|en az|en geç|bundan sonra|emin ol|geri al|yanlış|demek istedim)",
      "(?:olmadan|kullanmadan|değiştirmeden|dokunmadan|bozmadan|eklemeden|silmeden)",
    ],
    weak: [
      "(?:sadece|yalnızca|yerine|hariç|dışında|tercihen|aslında|tam olarak|olduğu gibi|aynen|gerek)",
      "(?:istiyorum|isterim|istiyoruz|tercih ederim|ihtiyacım|kalsın|kalmalı|olmalı|bırak|koru)",
    ],
    asking: ["(?:lütfen|yapabilir misin|misin|mısın|bana)", "^(?:ne|neden|nasıl|nerede|hangi|kim)"],
  },
  hungarian: {
    strong: [
      "ne (?:módosíts|változtas|töröl|nyúlj|használ|adj|csinál|felejts|írj|hozz)\\p{L}*",
      "(?:kell|muszáj|soha|mindig|tilos|kötelező|nem szabad)",
      "(?:legfeljebb|legalább|legkésőbb|nélkül|mostantól|győződj meg|kerüld|hagyd abba|vond vissza)",
    ],
    weak: [
      "(?:kellene|csak|kizárólag|inkább|helyett|kivéve|hacsak|pontosan|szeretném|akarom|hagyd|tartsd|maradjon)",
    ],
    asking: ["(?:kérlek|tudnád|tudsz)", "^(?:mi|miért|hogyan|hol|mikor|melyik|ki)"],
  },
  romanian: {
    strong: [
      "nu (?:modifica|schimba|șterge|sterge|folosi|adăuga|adauga|face|uita|atinge|crea|vreau|trebuie|mai mult)\\p{L}*",
      "(?:trebuie|niciodată|întotdeauna|mereu|interzis|obligatoriu|în niciun caz)",
      "(?:cel mult|cel puțin|maxim|minim|cel târziu|fără|de acum înainte|asigură-te|evită|oprește|anulează)",
    ],
    weak: [
      "(?:ar trebui|doar|numai|mai degrabă|în loc de|cu excepția|vreau|aș vrea|prefer|am nevoie)",
      "^(?:păstrează|lasă|folosește|menține)",
    ],
    asking: ["(?:te rog|vă rog|poți|ai putea)", "^(?:ce|de ce|cum|unde|când|cine)"],
  },
  indonesian: {
    strong: [
      "(?:jangan|harus|wajib|tidak boleh|dilarang|selalu|jangan pernah|maksimal|minimal \\d+|paling lambat|paling banyak|tanpa)",
      "(?:mulai sekarang|pastikan|hindari|berhenti|batalkan|bukan itu|maksud saya)",
    ],
    weak: [
      "(?:sebaiknya|seharusnya|hanya|lebih baik|lebih suka|sebagai gantinya|kecuali|persis|biarkan|pertahankan|tetap)",
      "(?:saya (?:ingin|mau|butuh|perlu)|kami (?:ingin|butuh))",
    ],
    asking: ["(?:tolong|mohon|bisakah|bisa)", "^(?:apa|mengapa|kenapa|bagaimana|di mana|kapan|siapa)"],
  },
  vietnamese: {
    strong: [
      "(?:đừng|không được|phải|luôn luôn|luôn|không bao giờ|bắt buộc|cấm|tối đa|tối thiểu|ít nhất|nhiều nhất|chậm nhất)",
      "(?:từ giờ|hãy chắc chắn|đảm bảo|tránh|hoàn tác|sai rồi|ý tôi là|mà không)",
    ],
    weak: [
      "(?:nên|chỉ|thay vì|trừ khi|ngoại trừ|tôi muốn|tôi cần|tôi thích|giữ nguyên|giữ|để nguyên|chính xác)",
    ],
    asking: ["(?:vui lòng|làm ơn|hãy|có thể)", "^(?:tại sao|làm sao|như thế nào)"],
  },
};

/** Scripts that folded text does not tell apart: read from the sentence as it stands. */
export const OTHER_SCRIPTS = /[\u0370-\u03ff\u0590-\u06ff\u0900-\u097f\u0e00-\u0e7f]/;

/** Greek, Hebrew, Arabic, Persian, Hindi, Thai. */
export const OTHER_SCRIPT_TERMS = new RegExp(
  [
    "μην|μη |πρέπει|ποτέ|πάντα|απαγορεύεται|το πολύ|τουλάχιστον|χωρίς|από εδώ και|βεβαιώσου|απόφυγε|αναίρεσε|λάθος|μόνο|προτιμώ|θέλω|αντί|εκτός|κράτα|κράτησε|άφησε|διατήρησε",
    "אל |אסור|חייב|צריך|תמיד|לעולם|לכל היותר|לפחות|בלי|ללא|מעכשיו|הקפד|הימנע|תפסיק|בטל|לא נכון|התכוונתי|רק|מעדיף|מעדיפה|אני רוצה|במקום|חוץ|השאר|תשאיר|שמור",
    "لا ت|يجب|دائم|أبد|ممنوع|لا يجوز|على الأكثر|على الأقل|بدون|دون|من الآن|تأكد|تجنب|توقف|تراجع|خطأ|قصدت|فقط|أفضل|أريد|بدلا|بدلًا|باستثناء|احتفظ|اترك|حافظ|استخدم",
    "نکن|نزن|نده|باید|نباید|همیشه|هرگز|حداکثر|حداقل|بدون|از این به بعد|مطمئن|خودداری|اشتباه|منظورم|فقط|ترجیح|می‌خواهم|به جای|به‌جای|مگر|نگه دار|بگذار",
    "मत|नहीं कर|नहीं होना|न कर|चाहिए|ज़रूर|जरूर|हमेशा|कभी नहीं|ज़्यादा से ज़्यादा|अधिकतम|कम से कम|बिना|अब से|सुनिश्चित|बच|गलत|मेरा मतलब|केवल|सिर्फ|सिर्फ़|बजाय|रखें|रखो|रहने|इस्तेमाल कर",
    "ห้าม|อย่า|ต้อง|เสมอ|ไม่เกิน|อย่างน้อย|โดยไม่|จากนี้ไป|หลีกเลี่ยง|ผิด|หมายถึง|เท่านั้น|แทน|ยกเว้น|คงไว้|เก็บไว้|อยากให้|ควร",
  ].join("|"),
);
