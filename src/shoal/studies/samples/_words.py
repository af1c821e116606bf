# SPDX-License-Identifier: Apache-2.0
"""The invented country of the sample tables: its names, places, insurances, diseases and how frequent they are.

All weights are whole numbers; only their proportions count. First and last names are common ones, combined at
random. Places do not exist. Diagnoses carry codes of the kind hospitals use, with rounded costs.
"""

WOMEN = (
    "Ada Agnes Aisha Amelia Anna Beatrice Carla Chloe Clara Dana Daria Eleanor Elif Elsa Emma Eva Fatima Fiona "
    "Grace Greta Hanna Ines Irene Ivy Jana Joan Julia Karin Laura Leila Lena Lucy Maria Marta Mei Mina Nadia "
    "Nina Olga Paula Rosa Ruth Sara Sofia Stella Tara Vera Yasmin Zoe Zuzana"
).split()
MEN = (
    "Adam Ahmed Alan Albert Andre Anton Bruno Carl Cem Daniel David Dario Edgar Emil Erik Felix Frank Georg "
    "Gustav Hamid Hugo Ian Ismail Ivan Jakob James Jan Joel John Jonas Karim Lars Leo Luca Marco Martin Max "
    "Milan Nils Noah Omar Oscar Paul Peter Rafael Samuel Simon Tomas Viktor Yusuf"
).split()
SURNAMES = (
    "Adler Ahmad Amsel Baker Barros Becker Berg Blanc Bosch Brandt Carter Castro Cohen Costa Dahl Demir Duran "
    "Eder Engel Evans Falk Ferrari Fisher Fuchs Garcia Gruber Haas Hansen Hill Horvat Huber Ito Jansen Jung "
    "Kaya Keller Khan Klein Kovacs Kraus Lang Larsen Lind Lopez Maier Marin Meyer Moreau Nagy Novak Okoye "
    "Olsen Ortiz Park Peters Petrov Popescu Quinn Rossi Roth Ruiz Sahin Santos Schmid Silva Singh Sommer Stein "
    "Svoboda Tran Turner Urban Vogel Wagner Walsh Weber Wolf Wood Yilmaz Zhang"
).split()

HOME = "Merland"

#: Region -> (first letters of its five districts' names, share of the population, share of the home country per mille).
REGIONS = {
    "Northmark": ("Alder", 7, 930),
    "Eastmoor": ("Birch", 9, 900),
    "Highvale": ("Cold", 5, 945),
    "Kingsbay": ("Dray", 26, 720),
    "Lakeland": ("Elm", 11, 880),
    "Midfield": ("Fern", 18, 830),
    "Southport": ("Gold", 15, 780),
    "Westhill": ("Hazel", 9, 905),
}
DISTRICTS = ("bridge", "ford", "ham", "stow", "wick")
DISTRICT_WEIGHTS = (40, 25, 17, 11, 7)
POSTCODES_PER_DISTRICT = 12

#: Country -> (part of the world, continent, weight among those who are not from the home country).
COUNTRIES = {
    "Austria": ("Western Europe", "Europe", 30),
    "France": ("Western Europe", "Europe", 45),
    "Germany": ("Western Europe", "Europe", 80),
    "Italy": ("Southern Europe", "Europe", 75),
    "Portugal": ("Southern Europe", "Europe", 60),
    "Spain": ("Southern Europe", "Europe", 40),
    "Croatia": ("Eastern Europe", "Europe", 45),
    "Poland": ("Eastern Europe", "Europe", 70),
    "Romania": ("Eastern Europe", "Europe", 65),
    "Syria": ("Western Asia", "Asia", 55),
    "Türkiye": ("Western Asia", "Asia", 90),
    "China": ("Eastern Asia", "Asia", 25),
    "Viet Nam": ("Eastern Asia", "Asia", 20),
    "Egypt": ("Northern Africa", "Africa", 15),
    "Morocco": ("Northern Africa", "Africa", 35),
    "Ghana": ("Western Africa", "Africa", 12),
    "Nigeria": ("Western Africa", "Africa", 22),
    "Brazil": ("South America", "Americas", 28),
    "Chile": ("South America", "Americas", 6),
    "United States": ("Northern America", "Americas", 24),
}

#: Weights of the ages 0-4, 5-9, ..., 95-99 among patients.
AGES = (42, 18, 16, 24, 36, 42, 46, 44, 42, 44, 52, 62, 70, 76, 82, 80, 66, 44, 20, 6)

#: Upper ends (exclusive) of the age bands that the tables below speak of; the last band is open.
BANDS = (18, 30, 45, 65)

MARITAL = {
    "never married": (1000, 760, 330, 170, 80),
    "married": (0, 180, 480, 560, 490),
    "civil partnership": (0, 40, 70, 40, 10),
    "separated": (0, 10, 40, 40, 15),
    "divorced": (0, 10, 78, 150, 105),
    "widowed": (0, 0, 2, 40, 300),
}
INSURANCE = {
    "national fund": (720, 560, 560, 580, 330),
    "pensioners fund": (0, 0, 5, 60, 500),
    "family cover": (180, 60, 5, 0, 0),
    "employer plan": (0, 130, 220, 170, 10),
    "student plan": (10, 140, 10, 0, 0),
    "private full": (80, 60, 130, 150, 140),
    "self-payer": (10, 50, 70, 40, 20),
}

#: Diagnosis -> (chapter, typical cost, weights by age band, share of women in percent).
DIAGNOSES = {
    "A09 gastroenteritis": ("infections", 1900, (90, 25, 14, 14, 22), 52),
    "A41 sepsis": ("infections", 11800, (3, 3, 6, 18, 34), 45),
    "B34 viral infection": ("infections", 1500, (80, 30, 14, 8, 8), 50),
    "C18 bowel cancer": ("neoplasms", 14200, (0, 1, 8, 32, 36), 44),
    "C34 lung cancer": ("neoplasms", 12700, (0, 0, 5, 36, 30), 42),
    "C50 breast cancer": ("neoplasms", 9800, (0, 3, 26, 44, 28), 99),
    "C61 prostate cancer": ("neoplasms", 9100, (0, 0, 2, 34, 36), 0),
    "E10 type 1 diabetes": ("metabolic", 3600, (16, 12, 8, 5, 3), 48),
    "E11 type 2 diabetes": ("metabolic", 4100, (1, 3, 14, 34, 32), 43),
    "F10 alcohol use": ("mental", 3900, (0, 30, 52, 46, 8), 27),
    "F20 schizophrenia": ("mental", 8900, (3, 30, 30, 14, 4), 44),
    "F32 depression": ("mental", 7200, (20, 58, 62, 44, 16), 62),
    "G40 epilepsy": ("nervous system", 3800, (34, 18, 16, 16, 14), 46),
    "G45 transient stroke": ("nervous system", 3500, (0, 1, 6, 24, 40), 50),
    "H25 cataract": ("nervous system", 1800, (0, 0, 3, 26, 70), 57),
    "I10 high blood pressure": ("circulatory", 2100, (0, 3, 16, 38, 54), 60),
    "I21 heart attack": ("circulatory", 9400, (0, 1, 16, 60, 70), 33),
    "I48 atrial fibrillation": ("circulatory", 3700, (0, 2, 10, 44, 84), 46),
    "I50 heart failure": ("circulatory", 6300, (1, 1, 5, 38, 130), 50),
    "J06 cold": ("respiratory", 1300, (60, 14, 8, 4, 3), 47),
    "J18 pneumonia": ("respiratory", 4700, (48, 10, 14, 32, 88), 44),
    "J35 tonsillitis": ("respiratory", 1900, (72, 24, 6, 1, 0), 49),
    "J44 chronic lung disease": ("respiratory", 4300, (0, 1, 8, 50, 64), 44),
    "K35 appendicitis": ("digestive", 3900, (44, 40, 20, 12, 6), 47),
    "K40 hernia": ("digestive", 2900, (16, 8, 20, 42, 34), 12),
    "K80 gallstones": ("digestive", 4200, (2, 18, 34, 44, 34), 64),
    "M16 hip arthrosis": ("skeleton", 9700, (0, 1, 8, 54, 66), 56),
    "M17 knee arthrosis": ("skeleton", 9300, (0, 2, 10, 66, 58), 60),
    "M54 back pain": ("skeleton", 2600, (3, 22, 54, 62, 36), 56),
    "N20 kidney stones": ("kidneys", 2400, (2, 16, 36, 36, 14), 34),
    "N39 urinary infection": ("kidneys", 2500, (24, 14, 10, 16, 44), 66),
    "O80 birth": ("pregnancy", 3100, (0, 190, 180, 0, 0), 100),
    "O20 early bleeding": ("pregnancy", 1700, (0, 44, 42, 0, 0), 100),
    "S06 concussion": ("injuries", 1500, (88, 44, 22, 24, 36), 45),
    "S52 broken forearm": ("injuries", 3200, (40, 18, 16, 26, 30), 55),
    "S72 broken hip": ("injuries", 9900, (3, 3, 4, 14, 80), 68),
}

COURSES = (
    "No complications.",
    "Uneventful stay.",
    "Slow but steady improvement.",
    'Described the pain as "dull, at night".',
    "Blood pressure checked daily; values stable.",
    "Sleeps badly, otherwise well.",
    "Mobilised on day two.",
    "Appetite poor, weight stable.",
)
COMPLICATIONS = (
    "Transferred to intensive care for two days, then back to the ward.",
    "Second procedure needed; consent given, risks explained at length.",
    "Wound infection, treated with antibiotics over ten days; cultures negative at discharge.",
    "Fall on the ward without injury; walking aid provided and explained.",
    "Known allergy to penicillin, switched to an alternative after consultation with the pharmacy.",
)
RELATIVES = ("Mother", "Brother", "Sister", "Cousin", "Neighbour")
ENDINGS = (
    "Follow-up in three weeks.",
    "Discharged home.",
    "Discharged to rehabilitation.",
    "Letter to the family doctor sent.",
    "Return if fever > 38.5.",
    "Control in six months, earlier if worse.",
)
