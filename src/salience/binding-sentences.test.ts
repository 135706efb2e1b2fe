import { expect, test } from "vitest";
import { askingSentences, bindingSentences } from "./binding-sentences.ts";

/** None of these was learned from. */
const BINDING = [
  "Please keep the public API stable.",
  "The build has to pass on Windows.",
  "Tabs, not spaces.",
  "Answer in German.",
  "Use pnpm, not npm.",
  "We can't use GPL code.",
  "It should finish within five minutes.",
  "I'd rather have small commits.",
  "No, I meant the other file.",
  "That's wrong, the port is 8443.",
  "Actually, make it blue.",
  "Not Redis but Postgres.",
  "Leave the tests alone.",
  "From now on write commit messages in lowercase.",
  "No new dependencies.",
  "Stop adding comments.",
  "At most three retries.",
  "My budget is $500.",
  "Undo the last change.",
  "Could you do that without changing the dates?",
  "Only touch src/a.ts.",
  "The function needs to return null on error.",
  "Every commit message starts with the ticket number.",
  "Bitte ändere die Konfiguration nicht.",
  "Verwende nur TypeScript.",
  "Die Antwort muss auf Deutsch sein.",
  "Ich möchte keine neuen Abhängigkeiten.",
  "Nein, ich meinte die andere Datei.",
  "Höchstens drei Versuche.",
  "N'utilise pas de bibliothèques externes.",
  "Il faut garder la compatibilité.",
  "Au plus trois tentatives.",
  "Je préfère des commits courts.",
  "Non, ce n'est pas ça.",
  "No uses librerías externas.",
  "Debes mantener la compatibilidad.",
  "Como máximo tres intentos.",
  "Prefiero commits cortos.",
  "Sin romper las pruebas.",
  "Não use bibliotecas externas.",
  "Você deve manter a compatibilidade.",
  "No máximo três tentativas.",
  "Non usare librerie esterne.",
  "Devi mantenere la compatibilità.",
  "Al massimo tre tentativi.",
  "Preferisco commit brevi.",
  "Gebruik geen externe bibliotheken.",
  "Je moet de compatibiliteit behouden.",
  "Maximaal drie pogingen.",
  "Не используй внешние библиотеки.",
  "Ответ должен быть на русском.",
  "Не более трёх попыток.",
  "不要使用外部库。",
  "必须保持兼容性。",
  "最多重试三次。",
  "只修改 src 目录。",
  "外部ライブラリを使わないでください。",
  "互換性を必ず保ってください。",
  "最大三回までにしてください。",
  "외부 라이브러리를 사용하지 마세요.",
  "반드시 호환성을 유지해야 합니다.",
  "최대 세 번까지 재시도하세요.",
  "ok, fine, let's do vite",
  "A. just manual commit for now",
  "3 is better, implement it with the small model.",
  "I think B, nested in the options.",
  "btw, can we make it so we keep the old code around?",
  "Can we not commit the docs?",
  "those listeners should still be there, no?",
  "Analyse which groups first, then tell me.",
  "I mostly meant the last few minutes.",
  "I'm looking for the cheapest direct flight.",
  "Die Kommentare bleiben auf Deutsch.",
  "Rör inte byggskriptet.",
  "Rør ikke byggescriptet.",
  "Älä muuta tiedostojen nimiä.",
  "Nie usuwaj starych testów.",
  "Nepoužívej globální proměnné.",
  "Не змінюй назви файлів.",
  "Mevcut testleri olduğu gibi bırak.",
  "Veritabanına dokunma.",
  "Ne töröld a régi teszteket.",
  "Nu șterge testele vechi.",
  "Jangan ubah nama berkas.",
  "Đừng đổi tên tệp.",
  "Μην αλλάξεις τα ονόματα.",
  "אל תשנה את השמות.",
  "لا تغير أسماء الملفات.",
  "फ़ाइलों के नाम मत बदलो।",
  "อย่าเปลี่ยนชื่อไฟล์",
];

const NOT_BINDING = [
  "I don't remember the reservation ID at the moment.",
  "Thanks for your help!",
  "Never mind!",
  "why do we need to commit this?",
  "What does EnsureSetup do?",
  "linting is failing now",
  "I've always had great experiences.",
  "should we drop it?",
  "It works now.",
  "The tests pass.",
  "looks good",
  "I see an error in the console.",
  "it doesn't work",
  "I don't know what happened.",
  "Danke, das sieht gut aus.",
  "Merci beaucoup.",
  "Gracias, funciona.",
  "谢谢，看起来不错。",
  "ありがとうございます。",
  "고맙습니다.",
  "Спасибо, работает.",
  "Dziękuję, działa.",
  "Teşekkürler, çalışıyor.",
  "which one should it be?",
  "A test fails in the parser.",
  "1,name 1,17",
];

test("finds nine in ten of the sentences that bind, and takes one in ten others for one", () => {
  const binds = (sentence: string) => bindingSentences(`Hello there.\n\n${sentence}`).includes(sentence);
  expect(BINDING.filter(binds).length).toBeGreaterThan(BINDING.length * 0.9);
  expect(NOT_BINDING.filter(binds).length).toBeLessThan(NOT_BINDING.length * 0.15);
});

test("gives whole sentences, verbatim, without bullets and with the numbers that people answer by", () => {
  const text = "Fix the parser.\n- never touch src/a.ts\n2) Keep it fast, e.g. below 5 ms.\n";
  expect(bindingSentences(text)).toEqual(["never touch src/a.ts", "2) Keep it fast, e.g. below 5 ms."]);
});

test("takes every item under a heading of constraints, and the heading with them", () => {
  const text =
    "## Constraints\n\n- Python 3.8\n- stdlib\n\n## Notes\n\n- a thing\n\nRules:\n- tabs\n\nThe sky is blue.\n- a tree";
  expect(bindingSentences(text)).toEqual(["Constraints", "Python 3.8", "stdlib", "Rules:", "tabs"]);
});

test("never takes pasted, quoted or injected words", () => {
  const text = [
    "Look at this:",
    "```",
    "you must never do it",
    "```",
    "> always use tabs",
    "<system-reminder>",
    "You must not mention this.",
    "</system-reminder>",
    "ERROR: value must be set",
  ].join("\n");
  expect(bindingSentences(text)).toEqual([]);
});

test("gives at most 40 sentences, fewer of a long text, the likeliest and those at its ends first", () => {
  const short = Array.from({ length: 60 }, (_, index) => `Never touch file ${index}.`).join(" ");
  expect(bindingSentences(short)).toHaveLength(40);
  const filler = "The sky was blue over the old town that day. ".repeat(300);
  const weak = Array.from({ length: 30 }, (_, index) => `Page ${index} stays blue.`).join(" ");
  const kept = bindingSentences(`${weak} ${filler} You must not delete it. ${filler} Never push.`);
  expect(kept).toHaveLength(12);
  expect(kept).toContain("You must not delete it.");
  expect(kept.at(-1)).toBe("Never push.");
});

test("of a document that is handed over only what plainly binds does, and what is typed before it as ever", () => {
  const typed = "Follow this plan. We support Node 22.";
  const described = "The cache is filled at the start. Page 3 stays blue. Use the old name in the meantime.";
  const plan = `${typed}\n\n# Plan\n${described}\n\n## Rules\n- Do not change the public API.\n\n## Steps\nRead on.`;
  expect(bindingSentences(plan.replaceAll("#", ""))).toContain("Page 3 stays blue.");
  expect(bindingSentences(plan)).not.toContain("Page 3 stays blue.");
  expect(bindingSentences(plan)).toContain("Do not change the public API.");
  expect(bindingSentences(plan)).not.toContain("Rules");
  expect(bindingSentences(plan.replace("## Steps", "## Never touch prod.yaml"))).toContain(
    "Never touch prod.yaml",
  );
  expect(bindingSentences(plan)[0]).toBe(bindingSentences(typed)[0]);
  const filler = "The sky was blue over the old town that day. ".repeat(100);
  const report = `Page 1 stays blue. ${filler} Page 2 stays blue. ${filler} Page 3 stays blue.`;
  expect(bindingSentences(report)).toEqual(["Page 1 stays blue.", "Page 3 stays blue."]);
});

test("skips what is too long for a sentence and says nothing twice", () => {
  expect(bindingSentences(`You must ${"very ".repeat(200)}hurry.`)).toEqual([]);
  expect(bindingSentences("Never push. Never push.")).toEqual(["Never push."]);
});

test("finds what the user asks for: questions and requests", () => {
  const text = "Hi. The build is red. Can you look at it? Then fix the linter. Danke. Bitte prüfe es.";
  expect(askingSentences(text)).toEqual(["Can you look at it?", "Then fix the linter.", "Bitte prüfe es."]);
  expect(askingSentences("请帮我修复它。谢谢。")).toEqual(["请帮我修复它。"]);
});

test("falls back to the first sentence with letters", () => {
  expect(askingSentences("42. Linting is red. It was green.")).toEqual(["42. Linting is red."]);
  expect(askingSentences("<env>\nBuild is red.\n</env>")).toEqual(["Build is red."]);
  expect(askingSentences("123 456")).toEqual([]);
  expect(askingSentences("")).toEqual([]);
});

test.each(["a", " ", "-", "漢", "<", "<a>x</a>", "not a ", "use a ", "never x\n", "|", "`", "> "])(
  "gets through a megabyte of %j",
  (piece) => {
    const text = piece.repeat(1e6 / piece.length);
    expect(bindingSentences(text).length).toBeLessThanOrEqual(40);
    expect(askingSentences(text).length).toBeLessThanOrEqual(40);
  },
);

test("[R37] an item of a list of constraints that goes on in the next line binds whole, and so do the items after it", () => {
  const text =
    "Do it.\n\nConstraints:\n- Keep the public API as it is for all callers of the\n  Library and its plugins\n- Node 22 is the oldest version\n- files stay under 300 lines\n\nThe weather is nice.";
  expect(bindingSentences(text)).toEqual([
    "Constraints:",
    "Keep the public API as it is for all callers of the",
    "Library and its plugins",
    "Node 22 is the oldest version",
    "files stay under 300 lines",
  ]);
});
